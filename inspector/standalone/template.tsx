import { render } from 'preact'
import { analyse } from '../../src/records/api/template.ts'
import { TemplatePage } from '../tools/template.tsx'
import { ToolPage } from './tool-page.tsx'

const root = document.getElementById('page')
if (root)
  render(
    <ToolPage name="Template">
      <TemplatePage analyse={async (request) => analyse(request)} />
    </ToolPage>,
    root,
  )
