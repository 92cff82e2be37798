import { type Diagnostic, error } from "../../diagnostics";
import type { Provider } from "../../framework";
import { type Configuration, meetsConstraints } from "../../language";

/** Reports version constraints that the providers of this run do not meet. */
export function checkProviderVersions(
  { requiredProviders, providerVersions }: Configuration,
  providers: Readonly<Record<string, Provider>>,
): Diagnostic[] {
  return [...providerVersions].flatMap(([name, constraint]) => {
    const source = requiredProviders.get(name)!;
    const version = providers[source]?.version;
    if (version === undefined || meetsConstraints(version, constraint)) return [];
    const detail =
      `required_providers asks for ${source} ${JSON.stringify(constraint)}, but this is version ${version}. Install a ` +
      "version that meets it, or change the constraint.";
    return [error({ code: "provider_version_unmet", summary: "Provider version does not match", detail })];
  });
}
