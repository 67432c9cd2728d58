import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useStore } from '../parts/store.ts'
import { isHelpOpen, keys } from './keys.ts'

/** The dialog that lists the keys. */
export function Help(): JSX.Element {
  const isOpen = useStore(isHelpOpen)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => isHelpOpen.set(false)}>
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {keys.map(({ shown, does }) => (
          <div key={shown}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>←</kbd> <kbd>→</kbd>
          </dt>
          <dd>the tabs of an exchange, when one has the focus</dd>
        </div>
      </dl>
      <button type="button" onClick={() => isHelpOpen.set(false)}>
        Close
      </button>
    </dialog>
  )
}
