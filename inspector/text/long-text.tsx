import { Component, type JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Span } from '../../src/records/api/types.ts'
import { type Block, blocksOf, type Mark } from './blocks.ts'
import { Outside } from './outside.tsx'
import { letterOf } from './roles.ts'
import { visible } from './visible.ts'

interface LongTextProps {
  /** The name of the text, for screen readers. */
  label: string
  text: string
  spans?: readonly Span[]
  marks?: readonly Mark[]
}

/** Blocks that are made in one frame. */
const blocksAtOnce = 40

/** A text of any length, with the roles of its spans if there are some. */
export function LongText({ label, text, spans, marks }: LongTextProps): JSX.Element {
  const blocks = useMemo(() => blocksOf(text, spans, marks), [text, spans, marks])
  const [count, setCount] = useState(blocksAtOnce)
  useEffect(() => {
    if (count >= blocks.length) return
    const frame = requestAnimationFrame(() => setCount(count + blocksAtOnce))
    return () => cancelAnimationFrame(frame)
  }, [count, blocks.length])
  if (text === '') return <p class="empty">Nothing.</p>
  return (
    // It scrolls, so it must be reachable by keyboard. It is no landmark: a page has many.
    // biome-ignore lint/a11y/useSemanticElements: it is not part of a form
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div role="group" class="long-text" tabIndex={0} aria-label={label}>
      {blocks.slice(0, count).map((block) => (
        <BlockView key={block.start} block={block} />
      ))}
    </div>
  )
}

/** A block; it is rendered again only if it changed, so that text that grows costs its last block. */
class BlockView extends Component<{ block: Block }> {
  override shouldComponentUpdate({ block }: { block: Block }): boolean {
    const { pieces, isCut } = this.props.block
    if (block.pieces.length !== pieces.length || block.isCut !== isCut) return true
    return block.pieces.some((piece, index) => {
      const old = pieces[index]
      return old?.text !== piece.text || old.role !== piece.role || old.marks.length !== piece.marks.length
    })
  }

  override render(): JSX.Element {
    const { pieces, isCut } = this.props.block
    return (
      <div class={isCut ? 'block cut' : 'block'}>
        {pieces.map(({ start, text, role, isFirst, marks }) => (
          <span key={start}>
            {marks.map(({ code, message }, index) => (
              <mark key={index} class="note" title={visible(message)} data-note={`⚑ ${code}`}>
                <span class="for-readers">
                  <Outside text={`Notice ${code}: ${message}`} />
                </span>
              </mark>
            ))}
            {role === undefined ? <Outside text={text} /> : <RoleView role={role} text={text} isFirst={isFirst} />}
          </span>
        ))}
      </div>
    )
  }
}

/** A piece with its role. The role's letter comes after leading white space, so that it is on the line of the text. */
function RoleView({ role, text, isFirst }: { role: Span['role']; text: string; isFirst: boolean }): JSX.Element {
  const lead = isFirst ? text.length - text.trimStart().length : 0
  return (
    <>
      {lead > 0 && <Outside text={text.slice(0, lead)} />}
      {lead < text.length && (
        <span class={`role ${role}`} {...(isFirst && { 'data-letter': letterOf(role) })}>
          <Outside text={text.slice(lead)} />
        </span>
      )}
    </>
  )
}
