import { render } from 'preact'
import { readAgain } from '../../src/records/api/read.ts'
import { ReadPage } from '../tools/read.tsx'
import { ToolPage } from './tool-page.tsx'

const root = document.getElementById('page')
if (root)
  render(
    <ToolPage name="Read">
      <ReadPage read={async (request) => readAgain(request)} />
    </ToolPage>,
    root,
  )
