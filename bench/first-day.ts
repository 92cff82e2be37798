// Times the first day on 300 hand-made projects with 30 oddities, at a latency of 20 ms. It runs the commands of
// docs/first-estate.md. Then a setting is changed by hand, and the drift run finds it.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ownProject, ROOT } from "../test/acceptance/support/own-project";
import { dayEstate, OWNER, SHOP } from "./support/day-estate";
import { ServiceProcess } from "./support/service-process";

const PAGE = "docs/first-estate.md";
const LATENCY = 20;

/** Further commands of the day. `# exits N` is the exit code, 0 if omitted. */
const AFTERWARDS = [
  "cd estate && npx steward drift && cd ..",
  "by hand",
  "cd estate && npx steward drift --report drift.html; cd .. # exits 0",
  "cd estate && npx steward plan --report plan.html && cd ..",
  "cd estate && npx steward apply --auto-approve && cd ..",
  "cd estate && npx steward drift --coverage; cd .. # exits 0",
];

/** The lines of the blocks of commands. */
const commandsOf = (page: string): string[] =>
  [...readFileSync(path.join(ROOT, page), "utf8").matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, text]) =>
    text!.split("\n").filter((line) => line !== ""),
  );

const NPX = `npx() { shift; node ${path.join(ROOT, "dist", "cli", "main.js")} "$@"; }`;

function bash(script: string, cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile("bash", ["-c", script], { cwd, env, maxBuffer: 1e9 }, (_, out, err) =>
      resolve({ code: child.exitCode ?? 1, output: out + err }),
    );
  });
}

const row = (cells: readonly (string | number)[]): void =>
  void process.stdout.write(`| ${cells.map(String).join(" | ")} |\n`);

async function main(): Promise<void> {
  const service = await ServiceProcess.start({ fixture: dayEstate() });
  const project = ownProject();
  const env = { ...service.env, STEWARD_TOKEN: OWNER };
  const exports: string[] = [];
  let hasFailed = false;
  try {
    await service.delay(LATENCY);
    await service.counters();
    row(["command", "seconds", "requests", "lines", "exit", "last line"]);
    row(["---", "---:", "---:", "---:", "---:", "---"]);
    for (const line of [...commandsOf(PAGE), ...AFTERWARDS]) {
      if (line.startsWith("export ")) {
        exports.push(line);
        continue;
      }
      if (line === "by hand") {
        await service.request("PATCH", `/projects/${encodeURIComponent(SHOP)}/job_token_scope`, {
          enabled: false,
        });
        continue;
      }
      const began = performance.now();
      const { code, output } = await bash([NPX, ...exports, line].join("\n"), project.folder, env);
      const seconds = (performance.now() - began) / 1000;
      const { requests } = await service.counters();
      const lines = output.trimEnd().split("\n");
      row([`\`${line}\``, seconds.toFixed(1), requests, lines.length, code, lines.at(-1)!.slice(0, 160)]);
      const expected = Number(/# exits (\d)$/.exec(line)?.[1] ?? 0);
      if (code === expected) continue;
      hasFailed = true;
      process.stdout.write(`${lines.slice(-40).join("\n")}\n`);
    }
  } finally {
    if (process.argv.includes("--keep")) process.stdout.write(`${project.folder}\n`);
    else project.remove();
    await service.close();
  }
  if (hasFailed) process.exitCode = 1;
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
