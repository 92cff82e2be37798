import path from "node:path";
import { fail } from "../../diagnostics";
import type { Backend } from "../../language";
import { type HttpBackendBlock, LocalBackend, openHttpBackend, type StateBackend } from "../../state";
import type { Environment } from "./environment";
import type { Stack } from "./load-stacks";

/** The backend of a stack's state: the given file, or the configured backend. */
export function backendOf(
  { configuration, name }: Pick<Stack, "configuration" | "name">,
  given: string | undefined,
  { folder: workingFolder, env }: Environment,
): StateBackend {
  if (given !== undefined) return new LocalBackend(path.resolve(workingFolder, given));
  const { backend, folder } = configuration;
  if (backend?.type === "http") return httpBackend(backend, env);
  if (backend !== undefined && backend.type !== "local") unsupported(backend.type, name);
  const configured = backend?.config["path"];
  return new LocalBackend(
    path.resolve(folder, typeof configured === "string" ? configured : "terraform.tfstate"),
  );
}

/** TF_HTTP_ variables of the environment supply missing settings, as under Terraform. */
function httpBackend({ config }: Backend, env: Environment["env"]): StateBackend {
  const settings = Object.fromEntries(Object.entries(config).filter(([setting]) => setting !== "//"));
  return openHttpBackend(settings as HttpBackendBlock, env);
}

function unsupported(type: string, name: string | undefined): never {
  return fail({
    code: "backend_unsupported",
    summary: "Backend not supported",
    detail:
      `${name === undefined ? "The configuration" : `The stack "${name}"`} keeps its state in the backend "${type}"; ` +
      'the embedded engine keeps states in the backends "local" and "http". Use one of them, name a file with --state, or run Terraform: `steward exec -- terraform plan`.',
  });
}
