// In the place of undici where `#undici` of package.json finds no Node: in browsers, Workers and Bun, which have a fetch of their own
// and nothing that undici could open a connection with.
export {}
