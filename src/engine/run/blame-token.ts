import { type Diagnostic, error, type RefusedContainer } from "../../diagnostics";
import type { ConfiguredProvider } from "../../framework";
import { compareNatural } from "../../text";
import type { StackRun } from "./stack-run";
import { withoutKey } from "./targets";

type Refused = Diagnostic & { readonly refused: RefusedContainer };

/** The maximum number of containers that the error names. */
const MAX_NAMES = 5;

const isRefused = (one: Diagnostic): one is Refused => one.severity === "error" && one.refused !== undefined;

/**
 * Replaces errors about refused containers by one about the token, if a provider configuration met nothing else: a
 * token without a role is one cause, and objects must not be removed from the state for it.
 *
 * @param answered addresses of the managed objects that were read or planned
 */
export async function blameToken(run: StackRun, answered: readonly string[]): Promise<void> {
  const refused = run.diagnostics.filter(isRefused);
  const { stop, failFast } = run.context;
  // A run that ended early knows too little.
  if (refused.length === 0 || stop?.aborted || failFast) return;
  const { resources, providers } = run.context.configuration;
  const only = providers.size === 1 ? [...providers.keys()][0] : undefined;
  const providerOf = (address = ""): string | undefined =>
    resources.get(withoutKey(address))?.provider ?? only;
  const failed = new Set(refused.map(({ address }) => address));
  const working = new Set(answered.filter((address) => !failed.has(address)).map(providerOf));
  const managed = refused.filter(({ address = "" }) => !address.startsWith("data."));
  for (const key of new Set(managed.map(({ address }) => providerOf(address)))) {
    if (key === undefined || working.has(key)) continue;
    const own = new Set<Diagnostic>(refused.filter(({ address }) => providerOf(address) === key));
    const provider = run.configured(key);
    const containers = [...own].map(({ address, refused: one }) => {
      const declaration = address === undefined ? undefined : resources.get(withoutKey(address));
      const attributes = { [one!.kind]: one!.name };
      const known =
        declaration?.mode === "managed" ? provider.containerOf?.(declaration.type, attributes) : undefined;
      return { ...one!, name: known?.path ?? one!.name };
    });
    const blame = await tokenError(containers, provider);
    if (blame === undefined) continue;
    for (const [index, one] of run.diagnostics.entries()) {
      const { action: _command, attribute: _path, refused: _container, ...place } = one;
      if (own.has(one)) run.diagnostics[index] = { ...place, ...blame };
    }
  }
}

/** The error about a token to which all of several containers are refused; undefined if it may be another cause. */
export async function tokenError(
  refused: readonly RefusedContainer[],
  provider: Pick<ConfiguredProvider, "currentUser">,
): Promise<Diagnostic | undefined> {
  const names = [...new Set(refused.map(({ name }) => name))].sort(compareNatural);
  // One that is refused may have been deleted.
  if (names.length < 2) return undefined;
  const user = await provider.currentUser?.();
  if (user === undefined) return undefined;
  const distinct = (texts: readonly string[]) => [...new Set(texts)].sort();
  const kinds = distinct(refused.flatMap(({ kind }) => kind.split(" or ")));
  const statuses = distinct(refused.map(({ status }) => String(status))).join(" and ");
  const roles = distinct(refused.flatMap(({ role }) => role ?? []));
  const rest = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return error({
    code: "token_without_role",
    summary: `The token's role is not enough in any ${kinds.join(" or ")}`,
    detail:
      `The service refuses all ${names.length} ${kinds.map((kind) => `${kind}s`).join(" or ")} of this run to the token's ` +
      `user "${user}" (${statuses}): ${names.slice(0, MAX_NAMES).join(", ")}${rest}. Nothing could be checked, and nothing was ` +
      `changed. Give the user the role ${roles.join(" or ") || "that their settings need"} there, or use the token of a ` +
      "user who has it.",
    cause: `token of ${user}`,
  });
}
