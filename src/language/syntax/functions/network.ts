import { isIPv6 } from "node:net";
import { list, listOf, NUMBER, STRING, string, toBigInt, type Value } from "../../values";
import { FunctionError, type FunctionTable, fn, integerOf } from "./function";

/** A network: its address as a number, the number of bits in an address, and the number of bits in the network's prefix. */
interface Network {
  readonly address: bigint;
  readonly bits: 32 | 128;
  readonly prefix: number;
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Returns the network in a text such as "10.0.0.0/8", with zeros after the prefix. @throws FunctionError for the first argument
 */
function parseNetwork(text: string): Network {
  const [, host, length] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  const parsed = host === undefined ? undefined : parseAddress(host);
  const prefix = Number(length);
  if (parsed === undefined || prefix > parsed.bits) {
    throw new FunctionError(`"${text}" is not a network in CIDR notation, such as 10.0.0.0/16`, 0);
  }
  const rest = BigInt(parsed.bits - prefix);
  return { address: (parsed.address >> rest) << rest, bits: parsed.bits, prefix };
}

/** Returns an IPv6 address in its canonical form: in lower case, with "::" instead of the longest sequence of zeros. */
const canonical = (text: string): string => new URL(`http://[${text}]`).hostname.slice(1, -1);

/** Matches the leading zeros of the parts of an IPv4 address at the end of an IPv6 address. */
const TAIL_ZEROS = /(?<=[:.])0{1,2}(?=\d+\.)|(?<=\.)0{1,2}(?=\d+$)/g;

const joined = (parts: readonly number[], bits: bigint): bigint =>
  parts.reduce((sum, part) => (sum << bits) + BigInt(part), 0n);

function parseAddress(text: string): { address: bigint; bits: 32 | 128 } | undefined {
  if (IPV4.test(text)) {
    // Terraform accepts leading zeros in a part, and reads the part as a decimal number.
    const parts = text.split(".").map(Number);
    return parts.every((part) => part <= 255) ? { address: joined(parts, 8n), bits: 32 } : undefined;
  }
  const plain = text.replace(TAIL_ZEROS, "");
  if (!isIPv6(plain) || plain.includes("%")) return undefined;
  const [head = [], tail = []] = canonical(plain)
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = new Array<string>(8 - head.length - tail.length).fill("0");
  const groups = [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
  return { address: joined(groups, 16n), bits: 128 };
}

function formatAddress(address: bigint, bits: 32 | 128): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join(".");
  // An IPv6 address that contains a mapped IPv4 address is formatted as IPv4.
  if (address >> 32n === 0xffffn) return formatAddress(address & 0xffffffffn, 32);
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((address >> BigInt(112 - index * 16)) & 0xffffn).toString(16),
  );
  return canonical(groups.join(":"));
}

function formatNetwork({ address, bits, prefix }: Network): string {
  const isIpv4 = bits === 128 && address >> 32n === 0xffffn && prefix >= 96;
  return `${formatAddress(address, bits)}/${isIpv4 ? prefix - 96 : prefix}`;
}

function wholeNumber(value: Value, argument: number): bigint {
  const whole = toBigInt(value.num);
  if (whole === undefined) throw new FunctionError("a whole number is required", argument);
  return whole;
}

/** Returns the address with a number in a network. A negative number counts from the end of the network. */
function host(network: Network, index: bigint): string {
  const size = 1n << BigInt(network.bits - network.prefix);
  const offset = index < 0n ? size + index : index;
  if (offset < 0n || offset >= size) {
    throw new FunctionError(`the network has only ${size} addresses, so it has no address ${index}`, 1);
  }
  return formatAddress(network.address + offset, network.bits);
}

/**
 * Returns the prefix length of a subnet: `newBits` more bits than the prefix of the network. `newBits` must be between `least`
 * and `most`.
 */
function extended(network: Network, newBits: number, least: number, most: number, argument: number): number {
  const prefix = network.prefix + newBits;
  if (newBits >= least && newBits <= most && prefix <= network.bits) return prefix;
  throw new FunctionError(`a prefix of ${network.prefix} bits cannot be extended by ${newBits}`, argument);
}

function subnet(network: Network, newBits: number, index: bigint): string {
  const prefix = extended(network, newBits, 0, network.bits, 1);
  if (index < 0n || index >= 1n << BigInt(newBits)) {
    throw new FunctionError(
      `${newBits} bits give only ${1n << BigInt(newBits)} networks, so there is no network ${index}`,
      2,
    );
  }
  const address = network.address + (index << BigInt(network.bits - prefix));
  return formatNetwork({ ...network, address, prefix });
}

const MOST_NEW_BITS = 32;

/**
 * Returns consecutive networks with these prefix lengths. Each network begins at the next address that is a multiple of its size.
 */
function subnets(network: Network, lengths: readonly Value[]): string[] {
  const end = network.address + (1n << BigInt(network.bits - network.prefix));
  let next = network.address;
  return lengths.map((length, index) => {
    const newBits = integerOf(length, index + 1);
    const prefix = extended(network, newBits, 1, MOST_NEW_BITS, index + 1);
    const size = 1n << BigInt(network.bits - prefix);
    const address = ((next + size - 1n) / size) * size;
    next = address + size;
    if (next > end)
      throw new FunctionError(
        `there is no space left for a network with a prefix of ${prefix} bits`,
        index + 1,
      );
    return formatNetwork({ ...network, address, prefix });
  });
}

const NETWORK_FUNCTIONS: FunctionTable = {
  cidrhost: fn({ prefix: STRING, hostnum: NUMBER }, STRING, ([prefix, index]) =>
    string(host(parseNetwork(prefix.text), wholeNumber(index, 1))),
  ),
  cidrnetmask: fn({ prefix: STRING }, STRING, ([given]) => {
    const { bits, prefix } = parseNetwork(given.text);
    if (bits === 128) throw new FunctionError("IPv6 networks have no netmask", 0);
    return string(formatAddress((1n << 32n) - (1n << BigInt(32 - prefix)), 32));
  }),
  cidrsubnet: fn({ prefix: STRING, newbits: NUMBER, netnum: NUMBER }, STRING, ([prefix, newBits, index]) =>
    string(subnet(parseNetwork(prefix.text), integerOf(newBits, 1), wholeNumber(index, 2))),
  ),
  cidrsubnets: fn(
    { prefix: STRING },
    listOf(STRING),
    ([prefix, ...lengths]) => list(subnets(parseNetwork(prefix.text), lengths).map(string), STRING),
    { rest: { newbits: NUMBER } },
  ),
};

export = NETWORK_FUNCTIONS;
