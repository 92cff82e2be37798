// Measures the share of a process's work that is done in some source files. The measurement is within one run, because
// two runs differ by more than this share.
import { type Profiler, Session } from "node:inspector/promises";

/**
 * Runs a function under the profiler. Returns its result and a share of the work, from 0 to 1. The share is the work in
 * files that match `files`, including all functions that these files call.
 */
export async function profiled<T>(
  work: () => Promise<T>,
  files: RegExp,
): Promise<{ readonly result: T; readonly share: number }> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
    const result = await work();
    const { profile } = await session.post("Profiler.stop");
    return { result, share: shareOf(profile, files) };
  } finally {
    session.disconnect();
  }
}

function shareOf({ nodes }: Profiler.Profile, files: RegExp): number {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  let inside = 0;
  let all = 0;
  const visit = (node: Profiler.ProfileNode, isWithin: boolean): void => {
    const { functionName, url } = node.callFrame;
    const within = isWithin || files.test(url);
    // The profiler's samples of waiting are not work.
    if (functionName !== "(idle)") {
      all += node.hitCount ?? 0;
      if (within) inside += node.hitCount ?? 0;
    }
    for (const child of node.children ?? []) visit(byId.get(child)!, within);
  };
  visit(nodes[0]!, false);
  return inside / all;
}
