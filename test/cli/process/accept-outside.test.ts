import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { onFailingDisk } from "../../support/failing-disk";
import { usePlace } from "../support/place";

/** A line of an app with a declaration. The drift that the tests accept would change this line. */
const CODE = 'new JobTokenScope(stack, "limit", { project: "acme/shop", inboundEnabled: true });\n';

/**
 * `drift --accept` edits the file that contains a declaration. The name of this file comes from the configuration, which an
 * attacker may have manipulated. Steward must therefore not write to any file outside of the app.
 */
describe("drift --accept", () => {
  const place = usePlace("each");

  /**
   * Declares a token limit whose recorded source is `position`, changes the limit on the service, and accepts the drift.
   */
  async function acceptAt(position: string, onDisk = (run: () => ReturnType<typeof place.run>) => run()) {
    const configuration = JSON.parse(place.read("main.tf.json")) as {
      resource: { steward_job_token_scope: { limit: Record<string, unknown> } };
    };
    configuration.resource.steward_job_token_scope.limit["//"] = {
      metadata: { path: "app/limit", position },
    };
    place.write("app/main.tf.json", configuration);
    mkdirSync(path.join(place.folder, "app", "code"), { recursive: true });
    await place.runIn("app", ["apply", "--auto-approve", "--config", "."]);
    await place.byHand("PATCH", "/projects/acme%2Fshop/job_token_scope", { enabled: false });
    return onDisk(() =>
      place.runIn("app", ["drift", "--accept", "--yes", "--allow-loosening", "--config", "."]),
    );
  }

  it.each([
    ["a path with ..", () => "../outside.ts:1"],
    ["an absolute path", () => `${path.join(place.folder, "outside.ts")}:1`],
    ["a link", () => "code/linked.ts:1"],
  ])("drift --accept writes nothing outside of the app's folder through %s", async (_what, position) => {
    const outside = place.write("outside.ts", CODE);
    mkdirSync(path.join(place.folder, "app", "code"), { recursive: true });
    symlinkSync(outside, path.join(place.folder, "app", "code", "linked.ts"));
    const { out, err } = await acceptAt(position());
    expect(readFileSync(outside, "utf8")).toBe(CODE);
    expect(out + err).toContain("is outside the folder of the app");
  });

  it.each([
    ["ENOSPC", "The disk is full: free space"],
    ["EROFS", "The place is read-only for this user"],
  ] as const)("if a write fails with %s, drift --accept leaves the code unchanged", async (code, advice) => {
    place.write("app/code/main.ts", CODE);
    const folder = path.join(place.folder, "app", "code");
    for (const from of [1, 2]) {
      const { out, err } = await acceptAt("code/main.ts:1", async (run) => {
        const { result } = await onFailingDisk({ folder, code, from }, run);
        return result;
      });
      expect((out + err).replace(/[\s│╷╵]+/g, " ")).toContain(advice);
      expect(out + err).not.toContain("Internal error");
      expect(place.read("app/code/main.ts")).toBe(CODE);
    }
  });

  it("drift --accept edits a file in a subfolder of the app", async () => {
    place.write("app/code/main.ts", CODE);
    const { out, err } = await acceptAt("code/main.ts:1");
    expect(place.read("app/code/main.ts")).toBe(CODE.replace("true", "false"));
    expect(out + err).not.toContain("is outside the folder of the app");
  });
});
