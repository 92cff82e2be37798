// Measures the first day of a user with 300 projects that were made by hand, at a latency of 20 ms. Thirty of these
// projects differ from the others. The bench runs the commands of docs/first-estate.md. With `--terraform`, it runs the
// page's commands for Terraform. Then it changes a setting by hand, and the next commands find the change.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ownProject, ROOT } from "../test/acceptance/support/own-project";
import { dayEstate, OWNER, SHOP } from "./support/day-estate";
import { ServiceProcess } from "./support/service-process";

const PAGE = "docs/first-estate.md";
const LATENCY = 20;

const isTerraform = process.argv.includes("--terraform");

/** A step between two commands: a setting is changed on the service. */
const BY_HAND = "by hand";

/**
 * The commands that the bench runs after the commands of the page. `# exits N` is the expected exit code, which is 0 by
 * default.
 */
const AFTERWARDS = isTerraform
  ? [
      BY_HAND,
      "terraform -chdir=estate/cdktf.out/stacks/acme plan -detailed-exitcode # exits 2",
      "(cd estate && npx steward drift) # exits 2",
      "terraform -chdir=estate/cdktf.out/stacks/acme apply -auto-approve",
      "terraform -chdir=estate/cdktf.out/stacks/acme plan -detailed-exitcode",
      "(cd estate && npx steward drift --coverage)",
    ]
  : [
      "(cd estate && npx steward drift)",
      BY_HAND,
      "(cd estate && npx steward drift --report drift.html) # exits 2",
      "(cd estate && npx steward plan --detailed-exitcode --report plan.html) # exits 2",
      "(cd estate && npx steward apply --auto-approve)",
      "(cd estate && npx steward plan --detailed-exitcode)",
      "(cd estate && npx steward drift --coverage)",
    ];

/** Terraform reads the e-mail addresses of invitations from a file in the folder of the stack. */
const ADDRESSES = "cp estate/emails.auto.tfvars.json estate/cdktf.out/stacks/acme/";

/**
 * Returns the commands in the code blocks of a page. With `--terraform`, the result includes the blocks for Terraform,
 * and leaves out the embedded engine's plans and applies.
 */
const commandsOf = (page: string): string[] =>
  [...readFileSync(path.join(ROOT, page), "utf8").matchAll(/^```sh( terraform)?\n(.*?)^```$/gms)].flatMap(
    ([, terraform, text]) =>
      isTerraform || terraform === undefined
        ? text!
            .split("\n")
            .filter((line) => line !== "" && !(isTerraform && ENGINE.test(line)))
            .flatMap((line) => (isTerraform && line.includes("steward synth") ? [line, ADDRESSES] : [line]))
        : [],
  );

const ENGINE = /steward (plan|apply)\b/;

const NPX = `npx() { shift; node ${path.join(ROOT, "dist", "cli", "main.js")} "$@"; }`;

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command. Later commands get the variables that this command exports, as in one shell. */
function bash(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const exported = path.join(cwd, ".exported");
  const script = `${NPX}\n. ${exported} 2>/dev/null\n${command}\ncode=$?\nexport -p > ${exported}\nexit $code`;
  return new Promise((resolve) => {
    const child = execFile("bash", ["-c", script], { cwd, env, maxBuffer: 1e9 }, (_, out, err) =>
      resolve({ code: child.exitCode ?? 1, out, err }),
    );
    // Closes the input. A program that asks for input then fails.
    child.stdin!.end();
  });
}

const row = (cells: readonly (string | number)[]): void =>
  void process.stdout.write(`| ${cells.map(String).join(" | ")} |\n`);

async function main(): Promise<void> {
  const service = await ServiceProcess.start({ fixture: dayEstate() });
  const project = ownProject();
  const env = { ...service.env, STEWARD_TOKEN: OWNER };
  let hasFailed = false;
  try {
    await service.delay(LATENCY);
    await service.counters();
    row(["command", "seconds", "requests", "lines", "exit", "last line"]);
    row(["---", "---:", "---:", "---:", "---:", "---"]);
    for (const line of [...commandsOf(PAGE), ...AFTERWARDS]) {
      if (line === BY_HAND) {
        await service.request("PATCH", `/projects/${encodeURIComponent(SHOP)}/job_token_scope`, {
          enabled: false,
        });
        continue;
      }
      const began = performance.now();
      const { code, out, err } = await bash(line, project.folder, env);
      const seconds = (performance.now() - began) / 1000;
      const { requests } = await service.counters();
      const lines = out.trimEnd().split("\n");
      row([`\`${line}\``, seconds.toFixed(1), requests, lines.length, code, lines.at(-1)!.slice(0, 160)]);
      const expected = Number(/# exits (\d)$/.exec(line)?.[1] ?? 0);
      if (code === expected) continue;
      hasFailed = true;
      process.stdout.write(`${[...lines, ...err.split("\n")].slice(-60).join("\n")}\n`);
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
