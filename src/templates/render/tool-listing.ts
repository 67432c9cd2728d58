import { type Conversation, listedToolsOf } from '../../conversation/index.ts'
import type { CallInstructions } from './assistant-messages.ts'
import type { TemplateCapabilities } from './capabilities.ts'

/** The text and messages that list the tools for a model. */
export interface ToolListing {
  /** The template lists them. */
  isListed: boolean
  /** The text to add after the system text; empty if the template has all of it. */
  added: string
  /** The differences from the template's own behaviour, for people. */
  adaptation?: string
}

/**
 * The template's own information about tools, and the text that must be added. Apart from a leading system message it
 * does not depend on the turns, so it is the same in all turns of a conversation.
 */
export function listTools(
  conversation: Conversation,
  can: TemplateCapabilities,
  instructions: CallInstructions | undefined,
): ToolListing {
  const { toolChoice } = conversation
  if (listedToolsOf(conversation).length === 0) return { isListed: false, added: '' }
  const isOffered = toolChoice.type !== 'none'
  const hasSystem = can.system && holdsSystem(conversation)
  const lists = (isBesideSystem: boolean) => can.tools !== undefined && (!isBesideSystem || can.toolsBesideSystem)
  if (lists(hasSystem) && (!instructions || instructions.areSaid(hasSystem || can.systemForTools !== undefined))) {
    return { isListed: isOffered, added: '' }
  }
  if (!instructions) {
    return {
      isListed: false,
      added: '',
      ...(isOffered && { adaptation: 'the template lists no tools: they must be described in the system text' }),
    }
  }
  // The addition creates a system message if there is none.
  if (lists(can.system)) {
    if (!isOffered) return { isListed: false, added: '' }
    const adaptation = 'the template does not say how to call its tools: the system text does'
    return { isListed: true, added: instructions.write(true), adaptation }
  }
  const adaptation = 'the template lists no tools: they are described in the system text'
  return { isListed: false, added: instructions.write(false), adaptation }
}

function holdsSystem({ system, turns: [first] }: Conversation): boolean {
  return system !== '' || (first?.role === 'system' && first.text !== '')
}
