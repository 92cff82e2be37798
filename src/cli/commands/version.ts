import { ownPlatform } from "../../plugin";
import { PROVIDER_SOURCE } from "../../provider";
import type { VersionArguments } from "../arguments/version";
import type { Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";

/** Prints the version, the platform and the provider, in the order of `terraform version`. */
export async function version({ json }: VersionArguments, { out }: Terminal): Promise<number> {
  const own = packageVersion();
  const platform = ownPlatform();
  out.lines(
    json
      ? JSON.stringify(
          {
            version: own,
            platform,
            node_version: process.versions.node,
            provider_selections: { [PROVIDER_SOURCE]: own },
          },
          undefined,
          2,
        ).split("\n")
      : [`Steward v${own}`, `on ${platform}`, `+ provider ${PROVIDER_SOURCE} v${own}`],
  );
  return 0;
}
