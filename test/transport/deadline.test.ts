import { timeoutOf } from "../../src/transport/call";

test.each<[string | undefined, number | undefined]>([
  ["1H", 3_600_000],
  ["2M", 120_000],
  ["3S", 3000],
  ["4m", 4],
  ["5000u", 5],
  ["6000000n", 6],
  ["00000007m", 7],
  // This deadline is longer than a timer can wait.
  ["99999999H", undefined],
  [undefined, undefined],
  ["", undefined],
  ["123456789m", undefined],
  ["-1m", undefined],
  ["1.5S", undefined],
  ["1", undefined],
  ["1d", undefined],
])("grpc-timeout %s means %p milliseconds", (header, milliseconds) => {
  expect(timeoutOf(header)).toBe(milliseconds);
});
