// Writes V8's compiled code of the command's bundle, for this release of Node. The script runs the most used commands
// first, so that V8 compiles their code. Later runs load this code instead of compiling again, but also work without
// it. The argument of the script is the path of a different bundle.
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { root, writeWhole } = require("./bundle");

const BUNDLE = process.argv[2] ?? "program.js";
const TOKEN = "code-cache-administrator-token";
const dist = (...names) => require(path.join(root, "dist", ...names));

const COMPANY = {
  groups: [{ path: "acme" }],
  projects: [
    { path: "acme/web", id: 1 },
    { path: "acme/api", id: 2 },
  ],
};
const project = "acme/web";
const RESOURCES = {
  steward_job_token_scope: { web: { project, inbound_enabled: true } },
  steward_job_token_allowlist_project: { api: { project, target_project: "acme/api" } },
  steward_protected_environment: {
    production: { project, name: "production", deploy_access_levels: [{ access_level: 40 }] },
  },
  steward_container_protection_rule: {
    web: { project, repository_path_pattern: "acme/web/*", minimum_access_level_for_push: "owner" },
  },
  steward_project_invitation: { ada: { project, email: "ada@example.com", access_level: 30 } },
};

async function main() {
  const { codeCacheFile, runBundle } = dist("cli", "bundles.js");
  const { Channel } = dist("cli", "terminal", "terminal.js");
  const { script, exports: program } = runBundle(BUNDLE);
  const folder = mkdtempSync(path.join(tmpdir(), "steward-build-"));
  const service = await dist("service", "index.js").startService({ fixture: COMPANY, adminToken: TOKEN });
  try {
    writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify({ resource: RESOURCES }));
    Object.assign(process.env, { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: TOKEN });
    const run = running(program, folder, Channel);
    for (const words of [["apply", "--auto-approve"], ["plan"], ["drift"], ["destroy", "--auto-approve"]]) {
      await run(words);
    }
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
  writeWhole(codeCacheFile(BUNDLE), script.createCachedData());
}

/** Returns a function that runs a command in this process without printing its output. */
const running = (program, folder, Channel) => async (words) => {
  const said = [];
  const channel = new Channel((text) => void said.push(text));
  const terminal = {
    env: process.env,
    folder,
    out: channel,
    err: channel,
    isInteractive: false,
    ask: async () => undefined,
    onInterrupt: () => () => undefined,
    abort: process.exit,
    every: () => () => undefined,
  };
  const state = path.join(folder, "terraform.tfstate");
  const code = await program.run([...words, "--config", folder, "--state", state], terminal);
  if (code !== 0) throw new Error(`steward ${words.join(" ")} ended with ${code}:\n${said.join("")}`);
};

main().catch((problem) => {
  process.stderr.write(`The command will start a little later than it could: ${problem.message}\n`);
});
