import { type EnvelopeMember, envelopeMembers } from '../read/values/envelope-members.ts'
import type { EnvelopeKeys } from '../tree/expression.ts'
import { memberObject, type WrittenMember } from './value.ts'

interface Enveloped {
  name: string
  id: string
  /** Its place among the calls. */
  index: string
  members: readonly WrittenMember[]
}

/** A call as an object, its members in the order that the format has. */
export function writeEnvelope(call: Enveloped, keys: EnvelopeKeys): string {
  return objectOf(envelopeMembers(keys), call, keys.isEncoded ?? false)
}

function objectOf(members: readonly EnvelopeMember[], call: Enveloped, isEncoded: boolean): string {
  const contentOf = (member: EnvelopeMember): string => {
    switch (member.holds) {
      case 'name':
        return JSON.stringify(call.name)
      case 'id':
        return JSON.stringify(call.id)
      case 'arguments': {
        const object = memberObject(call.members)
        return isEncoded ? JSON.stringify(object) : object
      }
      case 'index': {
        const number = String(Number(call.index) + member.from)
        return member.isText ? JSON.stringify(number) : number
      }
      case 'constant':
        return member.json
      case 'members':
        return objectOf(member.of, call, isEncoded)
    }
  }
  return memberObject(members.map((member): WrittenMember => [member.key ?? call.name, contentOf(member)]))
}
