import path from "node:path";
import { fail } from "../../diagnostics";
import { LocalBackend } from "../../engine/state/local-backend";
import type { Stack } from "./load-stacks";

/** The backend that keeps a stack's state: the file that is named, else what the configuration says. */
export function backendOf(
  { configuration, name }: Pick<Stack, "configuration" | "name">,
  given: string | undefined,
  workingFolder: string,
): LocalBackend {
  if (given !== undefined) return new LocalBackend(path.resolve(workingFolder, given));
  const { backend, folder } = configuration;
  if (backend !== undefined && backend.type !== "local") unsupported(backend.type, name);
  const configured = backend?.config["path"];
  return new LocalBackend(
    path.resolve(folder, typeof configured === "string" ? configured : "terraform.tfstate"),
  );
}

function unsupported(type: string, name: string | undefined): never {
  return fail({
    code: "backend_unsupported",
    summary: "Backend not supported",
    detail:
      `${name === undefined ? "The configuration" : `The stack "${name}"`} keeps its state in the backend "${type}"; ` +
      "the embedded engine keeps states in local files. Use the local backend, name a file with --state, or use --engine terraform.",
  });
}
