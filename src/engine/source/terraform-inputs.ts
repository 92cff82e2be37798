import { statSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { type Diagnostic, fail, warning } from "../../diagnostics";
import { describeFileProblem, readFileSync, SMALL_FILE, systemCode } from "../../files";
import { parseJson } from "../../json";
import { safeUrl } from "../../state";
import type { Environment } from "../stack-run/context";
import { selectedWorkspace } from "../stack-run/workspace";
import { localStateFile, type StateSettings } from "./local-state";

/**
 * Matches environment variables that change Terraform's behavior, but not the behavior of this engine.
 * `docs/terraform-inputs.md` lists these variables with all other inputs of Terraform.
 */
const WITHOUT_EFFECT =
  /^TF_(?:CLI_ARGS(?:_\w+)?|LOG(?:_\w+)?|IGNORE|REATTACH_PROVIDERS|ENCRYPTION|STATE_PERSIST_INTERVAL|CLOUD_\w+|TEST_\w+|STACKS_\w+|FORCE_LOCAL_BACKEND)$/;

/** Warns about environment variables that have an effect on Terraform, but not on this engine. */
export function variablesWithoutEffect({ env }: Pick<Environment, "env">): Diagnostic[] {
  const names = Object.keys(env).filter(
    (name) => WITHOUT_EFFECT.test(name) && env[name] !== undefined && env[name] !== "",
  );
  if (names.length === 0) return [];
  return [
    warning({
      code: "environment_without_effect",
      summary: "Environment variables without effect",
      detail: `Steward ignores ${names.sort().join(", ")}. Unset ${names.length === 1 ? "this variable" : "these variables"}, and use the options of Steward instead, or STEWARD_LOG for logs. To use ${names.length === 1 ? "the variable" : "the variables"}, run Terraform with this command.`,
      action: { kind: "other", program: "terraform plan" },
    }),
  ];
}

/** The backend in the file that `terraform init` writes. */
const initialized = z.object({
  backend: z.optional(
    z.nullable(z.object({ type: z.string(), config: z.nullable(z.record(z.string(), z.unknown())) })),
  ),
});

/**
 * Returns the backend of a configuration, completed by the settings that `terraform init -backend-config=…` stored in
 * `.terraform/terraform.tfstate`.
 *
 * @throws DiagnosticError `backend_unsupported` if that file can't be read, or names another backend that may hold the state
 */
export function initializedBackend(
  settings: StateSettings,
  env: Environment["env"],
): StateSettings["backend"] {
  const { backend, folder } = settings;
  const file = path.resolve(folder, env["TF_DATA_DIR"] || ".terraform", DATA_FILE);
  const stored = readInitialized(file);
  if (stored === undefined) return backend;
  if (backend === undefined || stored.type !== backend.type) {
    requireNoOtherState(file, stored, settings);
    return backend;
  }
  const storedConfig = Object.fromEntries(
    Object.entries(stored.config ?? {}).filter(([, value]) => value !== null),
  );
  const completed = { ...backend, config: { ...storedConfig, ...backend.config } };
  requireNoFormerState(file, { ...backend, config: storedConfig }, { backend: completed, folder }, env);
  requireSameAddress(file, storedConfig["address"], backend.config["address"]);
  return completed;
}

/**
 * Fails if the address in the configuration differs from the address that `terraform init` stored. The state can be at the
 * stored address, and Steward can't search a server. Terraform itself refuses to plan before the next `terraform init`.
 */
function requireSameAddress(file: string, stored: unknown, declared: unknown): void {
  if (typeof stored !== "string" || typeof declared !== "string" || stored === declared) return;
  refuse(
    file,
    `names another address than the configuration, ${shownAddress(stored)} instead of ${shownAddress(declared)}. If the state ` +
      `is at the address of the configuration, run \`terraform init -reconfigure\`, or remove ${file}`,
  );
}

const shownAddress = (address: string): string =>
  URL.canParse(address) ? safeUrl(new URL(address)) : "(no URL)";

/** Fails if the configuration names a new local path, but the path that `terraform init` stored still contains a state. */
function requireNoFormerState(
  file: string,
  former: NonNullable<StateSettings["backend"]>,
  { backend, folder }: StateSettings,
  env: Environment["env"],
): void {
  const workspace = selectedWorkspace(folder, env);
  const [before, now] = [former, backend].map((one) => localStateFile({ backend: one, folder }, workspace));
  if (before === undefined || now === undefined || before === now || !hasContent(before) || hasContent(now))
    return;
  refuse(
    file,
    `names the state ${before}, but the configuration names ${now}, which does not exist. Move the state there, or remove ${file}`,
  );
}

/**
 * Fails if `terraform init` used a backend of another type that may still contain the state. Steward can check this only for a
 * file. Terraform itself refuses to plan before the next `terraform init`.
 */
function requireNoOtherState(
  file: string,
  { type, config }: StoredBackend,
  { backend, folder }: StateSettings,
): void {
  const now = backend === undefined ? "no backend" : `the backend "${backend.type}"`;
  const { path: stored } = config ?? {};
  const local = path.resolve(folder, typeof stored === "string" ? stored : DATA_FILE);
  // Without a backend, the state is in this file.
  const isSame = backend === undefined && local === path.resolve(folder, DATA_FILE);
  if (type === "local" && (isSame || !hasContent(local))) return;
  const where = type === "local" ? `, whose state is ${local}` : "";
  refuse(
    file,
    `names the backend "${type}"${where}, but the configuration has ${now}. Restore the block of "${type}", or move the ` +
      `state with \`terraform init -migrate-state\`. If the state was moved already, remove ${file}`,
  );
}

const hasContent = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** The name of the file in which `terraform init` stores the backend. A state has the same name by default. */
const DATA_FILE = "terraform.tfstate";

type StoredBackend = NonNullable<z.output<typeof initialized>["backend"]>;

function readInitialized(file: string): StoredBackend | undefined {
  try {
    const text = readFileSync(file, { maxBytes: SMALL_FILE }).toString("utf8");
    return initialized.parse(parseJson(text)).backend ?? undefined;
  } catch (problem) {
    if (systemCode(problem) === "ENOENT" || systemCode(problem) === "ENOTDIR") return undefined;
    return refuse(file, `can't be read (${describeFileProblem(problem).split("\n")[0]})`);
  }
}

const refuse = (file: string, why: string): never =>
  fail({
    code: "backend_unsupported",
    summary: "Unknown backend",
    detail: `${file}, which \`terraform init\` wrote, ${why}. The state may be in another place, so nothing was planned.`,
  });
