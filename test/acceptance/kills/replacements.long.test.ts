import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runs, seed } from "../../support/capabilities";
import { Place } from "./cycle";
import { configuration, contentOf } from "./estate";
import { type Kill, MOMENTS } from "./proxy";

type Version = 1 | 2;

/** Objects of which each waits for the one before, and all of which the other version replaces. */
function declared(version: Version, createsFirst: boolean): object {
  const lifecycle = { create_before_destroy: createsFirst };
  const environment = (project: string, name: string) => ({
    project,
    name,
    deploy_access_levels: [{ access_level: 40 }],
    lifecycle,
  });
  return {
    ...configuration(),
    resource: {
      steward_protected_environment: {
        one: environment("acme/p1", `review/${version}`),
        two: environment("acme/p3", '${replace(steward_protected_environment.one.name, "review", "after")}'),
      },
      steward_job_token_allowlist_project: {
        three: {
          project: "${steward_protected_environment.two.project}",
          target_project: `acme/t${version}`,
          lifecycle,
        },
      },
    },
  };
}

/** One service and state, on which the two versions replace each other. */
class Replacing {
  readonly #place: Place;
  readonly #createsFirst: boolean;
  #version: Version = 1;

  constructor(place: Place, createsFirst: boolean) {
    this.#place = place;
    this.#createsFirst = createsFirst;
  }

  /** Declares the other version. */
  next(): Version {
    this.#version = this.#version === 1 ? 2 : 1;
    const file = path.join(this.#place.folder, "main.tf.json");
    writeFileSync(file, JSON.stringify(declared(this.#version, this.#createsFirst)));
    return this.#version;
  }

  /** One change at a time, so that each kill falls on the same request every time. */
  apply = (kill?: Kill) => this.#place.run(["apply", "--auto-approve", "--parallelism", "1"], kill);

  content = async (): Promise<string> => JSON.stringify(await contentOf(this.#place.service));

  /** Keys of objects that still wait for their end. */
  deposed(): unknown[] {
    const text = readFileSync(path.join(this.#place.folder, "terraform.tfstate"), "utf8");
    const { resources } = JSON.parse(text) as { resources: { instances: { deposed?: string }[] }[] };
    return resources.flatMap(({ instances }) => instances.flatMap(({ deposed }) => deposed ?? []));
  }

  planned = () => this.#place.planned("normal");
}

describe.each([
  ["the old object ends first", false],
  ["the new object is made first", true],
])("killed in a replacement in which %s", (_order, createsFirst) => {
  test(
    "at every request: one more run, and there is exactly what is declared, and nothing left to do",
    async () => {
      const place = await Place.open("local");
      const replacing = new Replacing(place, createsFirst);
      try {
        const reference = new Map<Version, string>();
        let [writes, lastWrite] = [0, 0];
        for (const _ of [1, 2, 1]) {
          const version = replacing.next();
          expect((await replacing.apply()).code).toBe(0);
          reference.set(version, await replacing.content());
          [writes, lastWrite] = [place.proxy.writes.length, place.proxy.lastWrite];
        }
        // Three objects made and three ended.
        expect(writes).toBe(6);
        const kills = Array.from({ length: writes * MOMENTS.length }, (_, index) => ({
          at: lastWrite - writes + 1 + Math.floor(index / MOMENTS.length),
          moment: MOMENTS[index % MOMENTS.length]!,
        }));
        const first = seed % kills.length;
        const chosen = [...kills.slice(first), ...kills.slice(0, first)];
        const step = Math.ceil(kills.length / runs(2, kills.length));
        const hit = new Set<number>();
        for (const kill of chosen.filter((_, index) => index % step === 0)) {
          const version = replacing.next();
          const killed = await replacing.apply(kill);
          if (killed.code === null) hit.add(place.proxy.writes.length);
          const again = await replacing.apply();
          const found = {
            kill,
            code: again.code,
            err: again.code === 0 ? "" : again.err,
            content: await replacing.content(),
            deposed: replacing.deposed(),
            planned: await replacing.planned(),
          };
          const content = reference.get(version);
          expect(found).toEqual({ kill, code: 0, err: "", content, deposed: [], planned: [] });
        }
        expect(hit.size).toBeGreaterThanOrEqual(runs(1, writes));
      } finally {
        await place.close();
      }
    },
    runs(120_000, 600_000),
  );
});
