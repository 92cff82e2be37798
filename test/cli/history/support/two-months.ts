import { type Cell, object, report, stack } from "./reports";

const TEAMS = ["data", "mobile", "payments", "platform", "shop"] as const;
const NAMES = ["api", "docs", "gateway", "ledger", "mailer", "search", "web", "worker"] as const;
/** The declarations of each project, with an attribute that people change by hand. */
const SETTINGS = [
  { type: "steward_job_token_scope", attribute: "inbound_enabled", before: true, after: false },
  { type: "steward_protected_environment", attribute: "required_approval_count", before: 2, after: 1 },
  {
    type: "steward_project_invitation",
    attribute: "access_level",
    before: 30,
    after: 40,
    names: ["Developer", "Maintainer"],
  },
] as const;
const HOURS = 60 * 24;

/** Returns a function that generates pseudo-random numbers. The numbers are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns invented hourly reports of two months over 40 projects. Most drifts begin and end in working hours. */
export function twoMonths(): object[] {
  const next = numbers(13);
  const open = new Map<string, Cell>();
  return Array.from({ length: HOURS }, (_, hour) => {
    const isWork = hour % 24 > 7 && hour % 24 < 18 && Math.floor(hour / 24) % 7 < 5;
    if (next() < (isWork ? 0.14 : 0.01)) {
      // Some projects drift more often than others.
      const name = `${TEAMS[Math.floor(next() ** 2 * 5)]}/${NAMES[Math.floor(next() ** 2 * 8)]}`;
      const at = Math.floor(next() * SETTINGS.length);
      const { attribute } = SETTINGS[at]!;
      open.set(`${name} ${at}`, next() < 0.15 ? "vanished" : [attribute]);
    }
    for (const key of [...open.keys()]) {
      const mended = key.endsWith("0") ? 0.12 : 0.03;
      if (next() < (isWork ? mended : 0.002)) open.delete(key);
    }
    const hasFailed = next() < 0.006;
    return report(
      hour + 1,
      TEAMS.map((team) => stackOf(team, open, hasFailed && team === "mobile")),
      {
        result: hasFailed ? "failed" : "found",
      },
    );
  });
}

function stackOf(team: string, open: ReadonlyMap<string, Cell>, hasFailed: boolean) {
  const objects = NAMES.flatMap((name) =>
    SETTINGS.map(({ type, attribute: attributeName, ...values }, at) => {
      const cell = hasFailed ? "failed" : (open.get(`${team}/${name} ${at}`) ?? "in_sync");
      const names = "names" in values ? { before_name: values.names[0], after_name: values.names[1] } : {};
      const { before, after } = values;
      return object(team, `${type}.${name}`, cell, {
        project: `acme/${team}/${name}`,
        url: `https://git.example.com/acme/${team}/${name}`,
        ...(Array.isArray(cell) && {
          attributes: [{ name: attributeName, sensitive: false, before, after, ...names }],
        }),
      });
    }),
  );
  return stack(team, objects);
}
