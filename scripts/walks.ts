// `npm run walks`: counts the files through which a value passes on its way through a command. `-- --files` also prints
// their names. A file counts if one of its functions receives the marked value, even if it only passes the value on.
// The commands use an embedded service. The figures only make sense in comparison with each other.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";

const PROBE = path.join(__dirname, "walks", "probe.js");
const MARK = "markedvalue";
/** A value that is not counted. The value must not contain `MARK`. */
const PLAIN = "plainvalue";

interface Walk {
  readonly name: string;
  /** The number of files in the version of 2026-11-27, counted in the same way. */
  readonly before: number;
  readonly command: readonly string[];
  /** Writes the marked value into the configuration or to the service. */
  readonly prepare: (place: Place) => Promise<void>;
}

interface Place {
  readonly folder: string;
  readonly service: Service;
}

const TERRAFORM = { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } };

/**
 * Writes a configuration with a container protection rule for `pattern`, and an environment that `users` can deploy to.
 */
function declare({ folder }: Place, pattern: string, users: readonly string[]): void {
  const resource = {
    steward_container_protection_rule: {
      images: {
        project: "acme/web",
        repository_path_pattern: pattern,
        minimum_access_level_for_push: "maintainer",
      },
    },
    steward_protected_environment: {
      production: {
        project: "acme/web",
        name: "production",
        deploy_access_levels: users.map((user) => ({ user })),
      },
    },
  };
  writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify({ terraform: TERRAFORM, resource }));
}

const WALKS: readonly Walk[] = [
  {
    name: "an attribute, from the configuration to the request",
    before: 131,
    command: ["apply", "--auto-approve"],
    prepare: async (place) => declare(place, `acme/web/${MARK}*`, ["maya"]),
  },
  {
    name: "a live list, to a line of drift",
    before: 52,
    command: ["drift"],
    prepare: async ({ service }) => changePattern(service, `acme/web/${MARK}*`),
  },
  {
    name: "the access of a plan, from the configuration to the report",
    before: 155,
    command: ["plan", "--access", "--report", "report.html"],
    prepare: async (place) => declare(place, `acme/web/${PLAIN}*`, ["maya", MARK]),
  },
];

async function changePattern(service: Service, pattern: string): Promise<void> {
  const rules = `${service.url}/api/v4/projects/acme%2Fweb/registry/protection/repository/rules`;
  const headers = { "private-token": service.adminToken, "content-type": "application/json" };
  const [rule] = (await (await fetch(rules, { headers })).json()) as { id: number }[];
  const body = JSON.stringify({ repository_path_pattern: pattern });
  const response = await fetch(`${rules}/${rule!.id}`, { method: "PATCH", headers, body });
  if (!response.ok) throw new Error(`The rule can't be changed: ${response.status}`);
}

/** Runs a command with probes. Returns the files through which the marked value passed. */
async function walked({ folder, service }: Place, words: readonly string[]): Promise<readonly string[]> {
  const output = path.join(folder, "walk.json");
  const env = { ...process.env, STEWARD_BASE_URL: service.url, STEWARD_TOKEN: service.adminToken };
  const child = spawn(process.execPath, [PROBE, MARK, output, ...words, "--config", "."], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (text: Buffer) => {
    errors += text.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== 0 && code !== 2) throw new Error(`${words.join(" ")} exits with ${code}: ${errors}`);
  return JSON.parse(readFileSync(output, "utf8")) as string[];
}

async function inPlace<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-walks-"));
  const service = await startService({
    fixture: {
      users: ["maya", MARK].map((username) => ({ username, token: `token-of-${username}` })),
      groups: [{ path: "acme", members: ["maya", MARK].map((user) => ({ user, role: "developer" })) }],
      projects: [{ path: "acme/web" }],
    },
  });
  try {
    return await use({ folder, service });
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const showsFiles = process.argv.includes("--files");
  for (const { name, before, command, prepare } of WALKS) {
    const files = await inPlace(async (place) => {
      declare(place, `acme/web/${PLAIN}*`, ["maya"]);
      await walked(place, ["apply", "--auto-approve"]);
      await prepare(place);
      return walked(place, command);
    });
    const change = Math.round((files.length / before - 1) * 100);
    console.log(`${name}: ${files.length} files (${before} before, ${change > 0 ? "+" : ""}${change} %)`);
    if (showsFiles) for (const file of files) console.log(`  ${file}`);
  }
}

main().catch((problem: unknown) => {
  console.error(problem);
  process.exitCode = 1;
});
