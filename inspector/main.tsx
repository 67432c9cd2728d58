import { render } from 'preact'
import { takeKey } from './api/client.ts'
import { App } from './app.tsx'
import './style/base.css'
import './style/list.css'
import './style/exchange.css'
import './style/tools.css'
import 'uplot/dist/uPlot.min.css'

takeKey()
addEventListener('hashchange', takeKey)

const root = document.getElementById('page')
if (root) render(<App />, root)
