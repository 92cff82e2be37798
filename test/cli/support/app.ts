import { execFileSync } from "node:child_process";
import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { emptyState } from "../../../src/state/model/model";
import { addressesOf, selectInstances } from "../../../src/state/model/select";
import type { Place } from "./place";

/** The command of an app. This command only copies synthesized files, because loading cdktf takes longer. */
export const COPY = 'cp -R synthesized/. "$CDKTF_OUTDIR"';

/** Runs a script that synthesizes an app, once. After that, commands copy the synthesized files. */
export function synthesizeOnce(place: Pick<Place, "folder" | "write">, script: string): void {
  const file = place.write("app.js", script);
  const NODE_PATH = path.join(__dirname, "..", "..", "..", "node_modules");
  const { PATH = "" } = process.env;
  execFileSync(process.execPath, [file], {
    cwd: place.folder,
    env: { PATH, NODE_PATH, CDKTF_OUTDIR: path.join(place.folder, "synthesized") },
  });
  place.write("cdktf.json", { language: "typescript", app: COPY });
}

/** Returns the addresses in a state. */
export const addressesIn = async (file: string): Promise<string[]> =>
  addressesOf(selectInstances((await new LocalBackend(file).read()) ?? emptyState()));
