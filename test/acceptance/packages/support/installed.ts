import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type Library, packageFor } from "./packed";

/** What npm installed into a folder for one library of constructs. */
export interface Installed {
  /** The files of this provider's package. */
  readonly files: readonly string[];
  /** Their size in bytes. */
  readonly size: number;
  /** All other packages but the library and `constructs`, by folder. */
  readonly beside: readonly string[];
}

export function installedIn(folder: string, library: Library): Installed {
  const own = path.join(folder, "node_modules", packageFor(library));
  const files = readdirSync(own, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(path.join(own, name)).isFile(),
  );
  const lock = readFileSync(path.join(folder, "node_modules/.package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, unknown>> };
  const asked = ["constructs", library, packageFor(library)].map((name) => `node_modules/${name}`);
  return {
    files,
    size: files.reduce((total, name) => total + statSync(path.join(own, name)).size, 0),
    // A package below one of these came inside of it.
    beside: Object.keys(packages).filter(
      (name) => !asked.some((one) => name === one || name.startsWith(`${one}/`)),
    ),
  };
}
