// Replaces undici where `#undici` of package.json finds no Node: browsers, Workers and Bun have their own fetch, and
// undici cannot open connections there.
export {}
