// Loaded into a measured process: at its end it says on descriptor 3 how much memory it took at the most, in KiB, and
// for how many microseconds the processor worked for it.
const { writeSync } = require("node:fs");

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(3, JSON.stringify({ kibibytes: maxRSS, microseconds: userCPUTime + systemCPUTime }));
});
