import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'
import { keepOldBuilds } from './scripts/old-builds.mjs'
import { chunkNames, filesForOffline, findChunkCircle, findExcessWeight } from './scripts/page-chunks.mjs'

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  plugins: [react(), checkChunks(), keepOld(), precompress(), buildServiceWorker()],
  // The server replaces it with the nonce of the content security policy.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    // The server reads it to preload chunks.
    manifest: true,
    emptyOutDir: false,
    target: 'es2023',
    // Browsers with light-dark(): lowered, it would not follow the theme switch.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkNames() }] } },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': server,
      '/health': server,
      '/sign-in': server,
      '/sign-out': server,
      '/demo-identity': server,
    },
  },
})

/** Fails the build if chunks import each other, as the page would not start, or if the first page is too heavy. */
function checkChunks(): Plugin {
  return {
    name: 'check-chunks',
    apply: 'build',
    generateBundle(_options, bundle) {
      const circle = findChunkCircle(bundle as Record<string, { imports?: string[] }>)
      if (circle)
        this.error(`Files of the page need each other, and it would not start: ${circle.join(' needs ')}`)
      const excess = findExcessWeight(bundle)
      if (excess) this.error(`The first page loads more than its limit (scripts/page-chunks.mjs): ${excess}`)
    },
  }
}

/** Open pages of an earlier version can still load their chunks. */
function keepOld(): Plugin {
  return {
    name: 'keep-old',
    apply: 'build',
    writeBundle({ dir: outDir = '' }, bundle) {
      const made = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
      keepOldBuilds({
        folder: join(outDir, 'assets'),
        record: join(outDir, '../page-builds.json'),
        files: made.map((name) => name.slice('assets/'.length)),
      })
    },
  }
}

/** A script of its own, whose address never changes. It changes with every build, as it names the files of the page. */
function buildServiceWorker(): Plugin {
  return {
    name: 'build-service-worker',
    apply: 'build',
    async writeBundle({ dir: outDir = '' }, bundle) {
      const files = filesForOffline(bundle).map((file) => `/${file}`)
      const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 8)
      await build({
        configFile: false,
        logLevel: 'warn',
        define: { pageBuild: JSON.stringify({ version, files }), 'process.env.NODE_ENV': '"production"' },
        build: {
          outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          target: 'es2023',
          rolldownOptions: {
            input: join(import.meta.dirname, 'web/service-worker.ts'),
            output: { format: 'iife', entryFileNames: 'service-worker.js' },
          },
        },
      })
    },
  }
}

/** Compresses at build time instead of for every visitor. */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir, 'assets')
    },
    // Not called if a bundle is only measured.
    writeBundle() {
      for (const name of readdirSync(folder)) {
        // Names contain hashes: existing files are up to date.
        if (!/\.(js|mjs|css|svg|json)$/.test(name) || existsSync(join(folder, `${name}.br`))) continue
        const bytes = readFileSync(join(folder, name))
        if (bytes.length < 1024) continue
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
        const quality = bytes.length > 300_000 ? 9 : 11
        const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }))
      }
    },
  }
}
