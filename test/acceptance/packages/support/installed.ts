import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type Library, packageFor } from "./packed";

/** The packages that npm installed into a folder for one library of constructs. */
export interface Installed {
  /** The files of this provider's package. */
  readonly files: readonly string[];
  /** The size of this provider's package in bytes. */
  readonly size: number;
  /** The folders of all other packages that an app needs at run time, except the library and `constructs`. */
  readonly beside: readonly string[];
}

/** Returns the packages that npm installed into a folder. @param more other packages that the app itself depends on */
export function installedIn(folder: string, library: Library, more: readonly string[]): Installed {
  const own = path.join(folder, "node_modules", packageFor(library));
  const files = readdirSync(own, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(path.join(own, name)).isFile(),
  );
  const lock = readFileSync(path.join(folder, "node_modules/.package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, { readonly dev?: true }>> };
  const asked = ["constructs", library, packageFor(library), ...more].map((name) => `node_modules/${name}`);
  return {
    files,
    size: files.reduce((total, name) => total + statSync(path.join(own, name)).size, 0),
    // The list leaves out the packages that the app itself requires, and packages inside their own `node_modules`.
    beside: Object.keys(packages).filter(
      (name) =>
        packages[name]!.dev === undefined && !asked.some((one) => name === one || name.startsWith(`${one}/`)),
    ),
  };
}
