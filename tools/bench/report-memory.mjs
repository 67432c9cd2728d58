/** Loaded into each measured process: tells the most memory that it ever held, in MB, when asked for it. */
process.on('message', (message) => {
  if (message === 'memory') process.send({ megabytes: process.resourceUsage().maxRSS / 1024 })
})
// Being asked is no reason to live on.
process.channel?.unref()
process.on('disconnect', () => process.exit())
