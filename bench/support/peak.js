// A module that is loaded into a measured process. At the end of the process, it writes the peak memory in KiB and the
// processor time in microseconds to file descriptor 3. If another program starts the process, the module writes to a
// file in the folder BENCH_USAGE.
const { readFileSync, writeFileSync, writeSync } = require("node:fs");
const { join } = require("node:path");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = JSON.stringify({ kibibytes: peak(), microseconds: userCPUTime + systemCPUTime });
  const folder = process.env.BENCH_USAGE;
  if (folder === undefined) writeSync(3, usage);
  else writeFileSync(join(folder, `${process.pid}.json`), usage);
});

/**
 * Returns the peak memory since the start of the program, if the system reports it. Otherwise it returns the peak of
 * `resourceUsage`, which includes the memory of the parent process at the fork.
 */
function peak() {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
