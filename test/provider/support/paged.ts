import { recordAnswer, useRunsBehind } from "./behind";
import { TOKEN, type World } from "./world";

/**
 * Returns a function that starts runs with a service whose pages have two records. Without totals, the second page
 * lacks a record at the first read of a list. `readings` counts how many times each list is read.
 */
export function usePagedRuns() {
  const behind = useRunsBehind();
  return async (world: World, hasTotals: boolean) => {
    const readings = new Map<string, number>();
    const connect = await behind(world, async (passage) => {
      const [, list, number] = /^(.*per_page=100&page=)(\d+)$/.exec(passage.url) ?? [];
      if (list === undefined) return undefined;
      const headers = { "private-token": TOKEN.administrator };
      const records = (await (await fetch(`${world.service.url}${list}1`, { headers })).json()) as unknown[];
      if (number === "1") readings.set(list, (readings.get(list) ?? 0) + 1);
      const isShifted = !hasTotals && readings.get(list) === 1;
      const isFirst = number === "1";
      const page = isFirst ? records.slice(0, 2) : records.slice(isShifted ? 3 : 2);
      const link = `<http://${passage.incoming.headers.host}${list}2>; rel="next"`;
      const totals = { "x-total": String(records.length), "x-total-pages": records.length > 2 ? "2" : "1" };
      return {
        ...recordAnswer(200, page),
        headers: {
          "content-type": "application/json",
          ...(isFirst && records.length > 2 && { link }),
          ...(hasTotals && totals),
        },
      };
    });
    return { connect, readings };
  };
}
