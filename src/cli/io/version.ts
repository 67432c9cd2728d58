import settings from '../../../package.json' with { type: 'json' }

export const version: string = settings.version
