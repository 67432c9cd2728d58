/** Loaded into each measured process: answers with the most memory that it ever held, in MB, and the CPU time that it has used, in ms. */
process.on('message', (message) => {
  if (message !== 'usage') return
  const { user, system } = process.cpuUsage()
  process.send({ megabytes: process.resourceUsage().maxRSS / 1024, cpuMs: (user + system) / 1000 })
})
// Being asked is no reason to live on.
process.channel?.unref()
process.on('disconnect', () => process.exit())
