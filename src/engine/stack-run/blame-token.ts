import type { Diagnostic, RefusedContainer } from "../../diagnostics";
import { tokenError } from "../../framework";
import { withoutKey } from "../declarations/address-keys";
import type { StackRun } from "./stack-run";

type Refused = Diagnostic & { readonly refused: RefusedContainer };

const isRefused = (one: Diagnostic): one is Refused => one.severity === "error" && one.refused !== undefined;

/**
 * Replaces errors about refused containers by one error about the token, if a provider configuration got only
 * refusals. A token without a role is one cause. Its objects must stay in the state.
 *
 * @param answered returns the addresses of the read or planned managed objects
 */
export async function blameToken(run: StackRun, answered: () => readonly string[]): Promise<void> {
  const refused = run.diagnostics.filter(isRefused);
  const { stop, failFast } = run.context;
  // A run that ended early knows too little.
  if (refused.length === 0 || stop?.aborted || failFast) return;
  const { resources, providers } = run.context.configuration;
  const only = providers.size === 1 ? [...providers.keys()][0] : undefined;
  const providerOf = (address = ""): string | undefined =>
    resources.get(withoutKey(address))?.provider ?? only;
  const failed = new Set(refused.map(({ address }) => address));
  const working = new Set(
    answered()
      .filter((address) => !failed.has(address))
      .map(providerOf),
  );
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
