import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { FreshApp, type Manager, warningsOf } from "./fresh-app";
import { type Library, type Packed, ROOT, usePacked } from "./packed";

/** The setup of a test for another package manager or release of Node. */
export interface FreshApps {
  readonly packed: Packed;
  /** Installs the package, then compiles, synthesizes and plans an app. No step may print a warning. */
  check(name: string, library: Library, manager: Manager): Promise<void>;
}

/** Packs the packages, and starts the service for the plans. */
export function useFreshApps(): FreshApps {
  const packed = usePacked();
  let service: Service;
  beforeAll(async () => {
    service = await startService({ fixture: path.join(ROOT, "examples/quickstart/fixture.yaml") });
  });
  afterAll(() => service?.close());
  return {
    packed,
    check: async (name, library, manager) => {
      const app = new FreshApp(path.join(packed.folder, `${name}-${library}`), library, manager);
      const env = { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: "quickstart-maintainer-token" };
      expect(warningsOf(await app.install(packed.tarballs[library]), manager.warning)).toEqual([]);
      expect(await app.compile()).toBe("");
      expect(warningsOf(await app.command("steward", ["synth"], env))).toEqual([]);
      const planned = await app.command("steward", ["plan"], env);
      expect(warningsOf(planned)).toEqual([]);
      expect(planned).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
      expect(await app.node("service.cjs")).toContain("the service answers 200\n");
    },
  };
}
