import type { ComponentChildren, JSX } from 'preact'
import '../style/base.css'
import '../style/list.css'
import '../style/exchange.css'
import '../style/tools.css'

const pages = [
  { file: 'read.html', name: 'Read' },
  { file: 'template.html', name: 'Template' },
] as const

interface ToolPageProps {
  name: (typeof pages)[number]['name']
  children: ComponentChildren
}

/** A page that needs no gateway, with a link to the other one beside it. */
export function ToolPage({ name, children }: ToolPageProps): JSX.Element {
  return (
    <>
      <header class="top">
        <span class="brand">anycall</span>
        <nav aria-label="Pages">
          {pages.map((page) => (
            <a key={page.file} href={page.file} {...(page.name === name && { 'aria-current': 'page' })}>
              {page.name}
            </a>
          ))}
        </nav>
      </header>
      {children}
    </>
  )
}
