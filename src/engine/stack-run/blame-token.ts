import type { Diagnostic, RefusedContainer } from "../../diagnostics";
import { type ConfiguredProvider, tokenError } from "../../framework";
import { withoutKey } from "../declarations/address-keys";
import type { OfType } from "./providers";

type Refused = Diagnostic & { readonly refused: RefusedContainer };

const isRefused = (one: Diagnostic): one is Refused => one.severity === "error" && one.refused !== undefined;

/** The declarations of a run, and the clients of its provider configurations. */
interface DeclaredTypes {
  /** The types of declarations, by their addresses. */
  readonly types: ReadonlyMap<string, OfType>;
  /** The key of the provider configuration; undefined if there are several. */
  readonly only: string | undefined;
  readonly configured: (key: string) => ConfiguredProvider;
}

/** Returns whether diagnostics contain errors about refused containers. */
export const hasRefused = (diagnostics: readonly Diagnostic[]): boolean => diagnostics.some(isRefused);

/**
 * Replaces errors about refused containers by one error about the token, if a provider configuration got only refusals. All these
 * errors then have one cause: the token has no role. The new error names no command that removes objects from the state, because
 * these objects must stay there.
 *
 * @param answered the addresses of the managed objects that the run has read or planned
 */
export async function blameToken(
  diagnostics: Diagnostic[],
  answered: readonly string[],
  { types, only, configured }: DeclaredTypes,
): Promise<void> {
  const refused = diagnostics.filter(isRefused);
  const providerOf = (address = ""): string | undefined => types.get(withoutKey(address))?.provider ?? only;
  const failed = new Set(refused.map(({ address }) => address));
  const working = new Set(
    answered.filter((address) => !failed.has(address)).map((address) => providerOf(address)),
  );
  const managed = refused.filter(({ address = "" }) => !address.startsWith("data."));
  for (const key of new Set(managed.map(({ address }) => providerOf(address)))) {
    if (key === undefined || working.has(key)) continue;
    const own = new Set<Diagnostic>(refused.filter(({ address }) => providerOf(address) === key));
    const provider = configured(key);
    const containers = [...own].map(({ address, refused: one }) => {
      const declaration = address === undefined ? undefined : types.get(withoutKey(address));
      const attributes = { [one!.kind]: one!.name };
      const known =
        declaration?.mode === "managed" ? provider.containerOf?.(declaration.type, attributes) : undefined;
      return { ...one!, name: known?.path ?? one!.name };
    });
    const blame = await tokenError(containers, provider);
    if (blame === undefined) continue;
    for (const [index, one] of diagnostics.entries()) {
      const { action: _command, attribute: _path, refused: _container, ...place } = one;
      if (own.has(one)) diagnostics[index] = { ...place, ...blame };
    }
  }
}
