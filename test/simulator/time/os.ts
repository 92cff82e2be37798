// Replaces node:os in the sources. The simulation has one machine with one user.
export const hostname = (): string => "builder";
export const userInfo = () => ({ username: "runner" });
export const devNull = "/dev/null";
export const tmpdir = (): string => "/tmp";
