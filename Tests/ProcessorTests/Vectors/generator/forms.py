"""The forms of instructions that vectors are made of: a pattern of bits, and what the fields may be.

A letter is a field; equal letters form one number, highest bit first. `choose` draws the fields that must not be any
number, and may return None to try again; it gets a source of chance and the fields drawn so far.
"""

GOOD = [r for r in range(15) if r != 13]  # registers that every instruction may name
WINDOW = 0x20000100  # 128 octets of memory that loads and stores of a case stay in
FLOATS, MEMORY = 1, 2
FORMS = []


class Form:
    def __init__(self, name, pattern, weight=1, flags=0, choose=None, base=None, tail=()):
        bits = pattern.replace(' ', '')
        assert len(bits) in (16, 32), (name, len(bits))
        self.name, self.bits, self.weight, self.flags = name, bits, weight, flags
        self.choose, self.base, self.tail = choose, base, tail
        FORMS.append(self)

    def make(self, rng):
        """The half-words of a case and the registers it needs, as (halfwords, [(register, value)])."""
        while True:
            fields = {letter: rng.getrandbits(self.bits.count(letter)) for letter in sorted(set(self.bits) - {'0', '1'})}
            if self.choose and self.choose(rng, fields) is False:
                continue
            registers = self.base(rng, fields) if self.base else []
            if registers is False:
                continue
            word, left = 0, {letter: self.bits.count(letter) for letter in fields}
            for bit in self.bits:
                if bit in left:
                    left[bit] -= 1
                    bit = fields[bit] >> left[bit] & 1
                word = word << 1 | int(bit)
            halfwords = [word >> 16, word & 0xFFFF] if len(self.bits) == 32 else [word]
            tail = self.tail(rng) if callable(self.tail) else list(self.tail)
            return halfwords + tail, registers


def good(*names):
    """Draws registers other than SP and PC for the fields named."""
    def choose(rng, f):
        for name in names:
            f[name] = rng.choice(GOOD)
    return choose


def also(*choosers):
    def choose(rng, f):
        for chooser in choosers:
            if chooser(rng, f) is False:
                return False
    return choose


def among(name, values):
    def choose(rng, f):
        f[name] = rng.choice(values)
    return choose


def test(condition):
    return lambda rng, f: bool(condition(f))


# --- 16 bits -----------------------------------------------------------------------------------------------------------
Form('shift by constant', '000 tt iiiii mmm ddd', 3, choose=test(lambda f: f['t'] != 3))
Form('add, subtract three', '00011 i o mmm nnn ddd', 4)
Form('move, compare, add, subtract constant', '001 oo ddd iiiiiiii', 4)
Form('two low registers', '010000 oooo mmm ddd', 16)
Form('add any', '01000100 h mmmm ddd', 2, choose=lambda rng, f: (f['h'] << 3 | f['d']) not in (13, 15))
Form('compare any', '01000101 h mmmm ddd', 2, choose=lambda rng, f: bool(
    (f['h'] or f['m'] > 7) and (f['h'] << 3 | f['d']) != 15 and f['m'] != 15))
Form('move any', '01000110 h mmmm ddd', 2, choose=lambda rng, f: (f['h'] << 3 | f['d']) not in (13, 15))
Form('address', '10100 ddd iiiiiiii')
Form('address in stack', '10101 ddd iiiiiiii')
Form('move stack pointer', '10110000 o iiiiiii')
Form('extend', '10110010 oo mmm ddd', 2)
Form('reverse', '10111010 oo mmm ddd', 2, choose=test(lambda f: f['o'] != 2))
Form('branch if', '1101 cccc 00000000', 3, choose=test(lambda f: f['c'] < 14), tail=[0x2755])
Form('branch', '11100 00000000000', tail=[0x2755])
Form('compare and branch', '1011 o 0 0 1 00000 nnn', 2, tail=[0x2755])
Form('load constant', '01001 ttt 00000000', tail=lambda rng: [0xE001, rng.getrandbits(16), rng.getrandbits(16)])
Form('nothing', '10111111 00000000')


class IfThen(Form):
    """IT with one to three instructions on low registers behind it."""

    def make(self, rng):
        count = rng.randint(1, 3)
        condition = rng.randrange(14)
        mask = rng.getrandbits(4)
        mask = (mask & ~((1 << 4 - count) - 1) | 1 << 4 - count) & 15 if count < 4 else mask | 1
        code = [0xBF00 | condition << 4 | mask]
        for _ in range(count):
            code.append(rng.choice([
                rng.getrandbits(13) % 0x1800, 0x1800 | rng.getrandbits(11), 0x2000 | rng.getrandbits(13),
                0x4000 | rng.getrandbits(10)]))
        return code, []


IfThen('if then', '1011111100000000', 24)


# --- Loads and stores, 16 bits ---------------------------------------------------------------------------------------------
def place(rng, width, size=None):
    """An address in the window for an aligned access of some octets."""
    size = size or width
    return WINDOW + rng.randrange(0, 128 - size + 1, width)


def offset_base(width, scale, register='n', size=None):
    def base(rng, f):
        return [(f[register] if isinstance(register, str) else register,
                 (place(rng, width, size) - f['i'] * scale) & 0xFFFFFFFF)]
    return base


Form('word, constant', '0110 l iiiii nnn ttt', 2, MEMORY, base=offset_base(4, 4))
Form('octet, constant', '0111 l iiiii nnn ttt', 2, MEMORY, base=offset_base(1, 1))
Form('half-word, constant', '1000 l iiiii nnn ttt', 2, MEMORY, base=offset_base(2, 2))
Form('word, stack', '1001 l ttt iiiiiiii', 2, MEMORY, base=offset_base(4, 4, 13))


def register_base(width):
    def base(rng, f):
        index = rng.choice([rng.getrandbits(5), rng.getrandbits(32), -rng.getrandbits(9)]) & 0xFFFFFFFF
        if f['n'] == f['m']:
            return False
        return [(f['m'], index), (f['n'], (place(rng, width(f)) - (index << f.get('s', 0))) & 0xFFFFFFFF)]
    return base


Form('register offset', '0101 ooo mmm nnn ttt', 8, MEMORY,
     base=register_base(lambda f: [4, 2, 1, 1, 4, 2, 1, 2][f['o']]))
Form('push', '1011010 m rrrrrrrr', 2, MEMORY, choose=test(lambda f: f['m'] or f['r']),
     base=lambda rng, f: [(13, WINDOW + rng.randrange(40, 129, 4))])
Form('pop', '10111100 rrrrrrrr', 2, MEMORY, choose=test(lambda f: f['r']),
     base=lambda rng, f: [(13, WINDOW + rng.randrange(0, 96, 4))])


def multiple_base(rng, f):
    if f['r'] == 0 or not f['l'] and f['r'] >> f['n'] & 1 and f['r'] & ((1 << f['n']) - 1):
        return False
    return [(f['n'], WINDOW + rng.randrange(0, 96, 4))]


Form('multiple', '1100 l nnn rrrrrrrr', 3, MEMORY, base=multiple_base)

# --- 32 bits: data processing ------------------------------------------------------------------------------------------------
OPERATIONS = [0, 1, 2, 3, 4, 8, 10, 11, 13, 14]
EXPANDABLE = test(lambda f: not (f['i'] >> 10 == 0 and f['i'] >> 8 and f['i'] & 0xFF == 0))
Form('shifted register', '1110101 oooo s nnnn 0 iii dddd ii tt mmmm', 40,
     choose=also(among('o', OPERATIONS), good('n', 'd', 'm')))
Form('shifted move', '1110101 001 o s 1111 0 iii dddd ii tt mmmm', 8, choose=good('d', 'm'))
Form('shifted test', '1110101 oooo 1 nnnn 0 iii 1111 ii tt mmmm', 12, choose=also(among('o', [0, 4, 8, 13]), good('n', 'm')))
Form('pack', '111010101100 nnnn 0 iii dddd ii t 0 mmmm', 3, choose=good('n', 'd', 'm'))
Form('constant', '11110 i 0 oooo s nnnn 0 iii dddd iiiiiiii', 24,
     choose=also(EXPANDABLE, among('o', OPERATIONS), good('n', 'd')))
Form('constant move', '11110 i 0 001 o s 1111 0 iii dddd iiiiiiii', 6, choose=also(EXPANDABLE, good('d')))
Form('constant test', '11110 i 0 oooo 1 nnnn 0 iii 1111 iiiiiiii', 8,
     choose=also(EXPANDABLE, among('o', [0, 4, 8, 13]), good('n')))
Form('add, subtract 12 bits', '11110 i 10 o 0 o 0 nnnn 0 iii dddd iiiiiiii', 3,
     choose=also(good('n', 'd'), among('o', [0, 3])))
Form('wide address', '11110 i 10 o 0 o 0 1111 0 iii dddd iiiiiiii', 2, choose=also(good('d'), among('o', [0, 3])))
Form('move 16 bits', '11110 i 10 o 100 nnnn 0 iii dddd iiiiiiii', 2, choose=good('d'))
Form('saturate', '11110011 u 0 s 0 nnnn 0 iii dddd ii 0 bbbbb', 6,
     choose=also(good('n', 'd'), test(lambda f: not f['s'] or f['i'])))
Form('saturate halves', '11110011 u 010 nnnn 0000 dddd 0000 bbbb', 3, choose=good('n', 'd'))
Form('extract field', '11110011 u 100 nnnn 0 iii dddd ii 0 wwwww', 4,
     choose=also(good('n', 'd'), test(lambda f: f['i'] + f['w'] < 32)))
Form('insert field', '111100110110 nnnn 0 iii dddd ii 0 wwwww', 3,
     choose=also(good('n', 'd'), test(lambda f: f['w'] >= f['i'])))
Form('clear field', '1111001101101111 0 iii dddd ii 0 wwwww', 2, choose=also(good('d'), test(lambda f: f['w'] >= f['i'])))
Form('shift by register', '111110100 tt s nnnn 1111 dddd 0000 mmmm', 8, choose=good('n', 'd', 'm'))
Form('extend and add', '111110100 ooo nnnn 1111 dddd 10 rr mmmm', 8,
     choose=also(good('d', 'm'), test(lambda f: f['o'] < 6 and f['n'] != 13)))
Form('parallel', '111110101 ooo nnnn 1111 dddd 0 www mmmm', 40,
     choose=also(good('n', 'd', 'm'), among('o', [0, 1, 2, 4, 5, 6]), among('w', [0, 1, 2, 4, 5, 6])))
Form('saturating add', '111110101000 nnnn 1111 dddd 10 oo mmmm', 4, choose=good('n', 'd', 'm'))
for name, code, low in [('reverse octets', '001', '00'), ('reverse in halves', '001', '01'), ('reverse bits', '001', '10'),
                        ('reverse signed half', '001', '11'), ('leading zeros', '011', '00')]:
    class Twice(Form):
        """The operand stands in two fields."""

        def make(self, rng):
            halfwords, registers = super().make(rng)
            return [halfwords[0] & ~15 | halfwords[1] & 15, halfwords[1]], registers
    Twice(name, '111110101' + code + '0000 1111 dddd 10' + low + 'mmmm', 1, choose=good('d', 'm'))
Form('select', '111110101010 nnnn 1111 dddd 1000 mmmm', 2, choose=good('n', 'd', 'm'))
Form('set flags', '111100111000 nnnn 1000 kk00 00000000', 2, choose=also(good('n'), test(lambda f: f['k'])))

# --- 32 bits: multiplication -----------------------------------------------------------------------------------------------
ADDENDS = GOOD + [15, 15]
MULTIPLIES = [(0, 0, True), (0, 1, False), (1, 0, True), (1, 1, True), (1, 2, True), (1, 3, True), (2, 0, True),
              (2, 1, True), (3, 0, True), (3, 1, True), (4, 0, True), (4, 1, True), (5, 0, True), (5, 1, True),
              (6, 0, False), (6, 1, False), (7, 0, True)]
for kind, code, alone in MULTIPLIES:
    Form(f'multiply {kind}.{code}', f'111110110{kind:03b} nnnn aaaa dddd 00{code:02b} mmmm', 2,
         choose=also(good('n', 'd', 'm'), among('a', ADDENDS if alone else GOOD)))
LONG = [(0, 0), (2, 0), (4, 0), (4, 8), (4, 9), (4, 10), (4, 11), (4, 12), (4, 13), (5, 12), (5, 13), (6, 0), (6, 6)]
for kind, code in LONG:
    Form(f'long multiply {kind}.{code}', f'111110111{kind:03b} nnnn llll hhhh {code:04b} mmmm', 2,
         choose=also(good('n', 'l', 'h', 'm'), test(lambda f: f['l'] != f['h'])))
Form('divide', '1111101110 u 1 nnnn 1111 dddd 1111 mmmm', 4, choose=good('n', 'd', 'm'))


# --- 32 bits: loads and stores -----------------------------------------------------------------------------------------------
def width(f):
    return [1, 2, 4][f['z']]


def wide_offset(rng, f):
    return [(f['n'], (place(rng, width(f)) - f['i']) & 0xFFFFFFFF)]


SIZE = test(lambda f: f['z'] < 3)
BOTH = also(SIZE, good('n', 't'))
Form('wide, constant', '11111000 1 zz l nnnn tttt iiiiiiiiiiii', 6, MEMORY, choose=BOTH, base=wide_offset)
Form('wide signed, constant', '11111001 1 zz 1 nnnn tttt iiiiiiiiiiii', 2, MEMORY,
     choose=also(good('n', 't'), among('z', [0, 1])), base=wide_offset)


def indexed(rng, f):
    before, up, back = f['p'], f['u'], f['w']
    if not before and not back or before and up and not back or back and f['n'] == f['t']:
        return False
    address = place(rng, width(f))
    offset = f['i'] if up else -f['i']
    return [(f['n'], (address - offset if before else address) & 0xFFFFFFFF)]


Form('indexed', '11111000 0 zz l nnnn tttt 1 p u w iiiiiiii', 10, MEMORY, choose=BOTH, base=indexed)
Form('signed indexed', '11111001 0 zz 1 nnnn tttt 1 p u w iiiiiiii', 5, MEMORY,
     choose=also(good('n', 't'), among('z', [0, 1])), base=indexed)
Form('wide, register', '11111000 0 zz l nnnn tttt 000000 ss mmmm', 6, MEMORY, choose=also(BOTH, good('m')),
     base=register_base(width))
Form('wide signed, register', '11111001 0 zz 1 nnnn tttt 000000 ss mmmm', 2, MEMORY,
     choose=also(good('n', 't', 'm'), among('z', [0, 1])), base=register_base(width))


def unaligned(rng, f):
    return [(f['n'], (WINDOW + rng.randrange(0, 124) - f['i']) & 0xFFFFFFFF)]


Form('unaligned', '11111000 1 zz l nnnn tttt iiiiiiiiiiii', 3, MEMORY, choose=BOTH, base=unaligned)


def dual(rng, f):
    before, up, back = f['p'], f['u'], f['w']
    if not before and not back or back and f['n'] in (f['t'], f['v']) or f['t'] == f['v']:
        return False
    address = place(rng, 4, 8)
    offset = f['i'] * 4 if up else -f['i'] * 4
    return [(f['n'], (address - offset if before else address) & 0xFFFFFFFF)]


Form('dual', '1110100 p u 1 w l nnnn tttt vvvv iiiiiiii', 8, MEMORY, choose=good('n', 't', 'v'), base=dual)


def many(rng, f):
    count = bin(f['r']).count('1')
    if count < 2 or f['r'] >> 13 & 1 or f['w'] and f['r'] >> f['n'] & 1:
        return False
    start = place(rng, 4, count * 4)
    return [(f['n'], start + 4 * count if f.get('x') else start)]


Form('wide multiple up', '1110100 010 w l nnnn 0 rrrrrrrrrrrrrrr', 4, MEMORY, choose=good('n'), base=many)


def many_down(rng, f):
    f['x'] = 1
    result = many(rng, f)
    del f['x']
    return result


Form('wide multiple down', '1110100 100 w l nnnn 0 rrrrrrrrrrrrrrr', 4, MEMORY, choose=good('n'), base=many_down)


class Exclusive(Form):
    """An exclusive load and an exclusive store to the same place."""

    def make(self, rng):
        n, t, s, v = rng.sample(GOOD, 4)
        size = rng.choice([1, 2, 4])
        address = place(rng, size)
        if size == 4:
            return [0xE850 | n, t << 12 | 0xF00, 0xE840 | n, v << 12 | s << 8], [(n, address)]
        low = 0x40 if size == 1 else 0x50
        return [0xE8D0 | n, t << 12 | 0xF0F | low, 0xE8C0 | n, v << 12 | 0xF00 | low | s], [(n, address)]


Exclusive('exclusive', '1011111100000000', 2, MEMORY)
Form('branch and link', '1111000000000000 1111100000000000')

# --- Floating point ------------------------------------------------------------------------------------------------------------
for name, opcode, bit in [('VMLA', '0 D 00', '0'), ('VMLS', '0 D 00', '1'), ('VNMLS', '0 D 01', '0'), ('VNMLA', '0 D 01', '1'),
                          ('VMUL', '0 D 10', '0'), ('VNMUL', '0 D 10', '1'), ('VADD', '0 D 11', '0'), ('VSUB', '0 D 11', '1'),
                          ('VDIV', '1 D 00', '0'), ('VFNMS', '1 D 01', '0'), ('VFNMA', '1 D 01', '1'),
                          ('VFMA', '1 D 10', '0'), ('VFMS', '1 D 10', '1')]:
    Form(name, f'11101110 {opcode} nnnn dddd 1010 N {bit} M 0 mmmm', 8, FLOATS)
Form('VMOV constant', '11101110 1 D 11 iiii dddd 1010 0000 jjjj', 1, FLOATS)
for name, code, top in [('VMOV', '0000', '0'), ('VABS', '0000', '1'), ('VNEG', '0001', '0'), ('VSQRT', '0001', '1'),
                        ('VCVTB from half', '0010', '0'), ('VCVTT from half', '0010', '1'), ('VCVTB to half', '0011', '0'),
                        ('VCVTT to half', '0011', '1'), ('VCMP', '0100', '0'), ('VCMPE', '0100', '1'),
                        ('VCVT from integer', '1000', 'e'), ('VCVT to unsigned', '1100', 'e'),
                        ('VCVT to signed', '1101', 'e')]:
    Form(name, f'11101110 1 D 11 {code} dddd 1010 {top} 1 M 0 mmmm', 1 if code == '0000' else 6, FLOATS)
Form('VCMP zero', '11101110 1 D 11 0101 dddd 1010 e 1 0 0 0000', 3, FLOATS)
Form('VCVT fixed', '11101110 1 D 11 1 t 1 u dddd 1010 x 1 i 0 jjjj', 16, FLOATS,
     choose=test(lambda f: f['x'] or (f['j'] << 1 | f['i']) <= 16))
Form('VMOV core', '11101110 000 l nnnn tttt 1010 N 0010000', 2, FLOATS, choose=good('t'))
Form('VMOV half of double', '11101110 00 x l 0 nnn tttt 1011 0 0010000', 2, FLOATS, choose=good('t'))
Form('VMOV two', '11101100010 l uuuu tttt 1010 00 M 1 mmmm', 2, FLOATS,
     choose=also(good('t', 'u'), test(lambda f: f['t'] != f['u'] and (f['m'] << 1 | f['M']) != 31)))
Form('VMOV double', '11101100010 l uuuu tttt 1011 00 0 1 mmmm', 2, FLOATS,
     choose=also(good('t', 'u'), test(lambda f: f['t'] != f['u'])))
Form('VMRS flags', '1110111011110001 1111101000010000', 1, FLOATS)
Form('VMRS', '1110111011110001 tttt101000010000', 1, FLOATS, choose=good('t'))


def float_base(rng, f):
    offset = f['i'] * 4 if f['u'] else -f['i'] * 4
    return [(f['n'], (place(rng, 4, 8) - offset) & 0xFFFFFFFF)]


Form('VLDR, VSTR', '11101101 u D 0 l nnnn dddd 1010 iiiiiiii', 2, FLOATS | MEMORY, choose=good('n'), base=float_base)
Form('VLDR, VSTR double', '11101101 u 0 0 l nnnn dddd 1011 iiiiiiii', 2, FLOATS | MEMORY, choose=good('n'), base=float_base)


def float_many(double, down):
    def base(rng, f):
        count = f['i']
        first = f['d'] * 2 if double else f['d'] << 1 | f['D']
        if not count or first + count > 32 or double and count & 1:
            return False
        start = place(rng, 4, count * 4)
        return [(f['n'], start + count * 4 if down else start)]
    return base


Form('VLDM', '11101100 1 D w l nnnn dddd 1010 00 iiiiii', 3, FLOATS | MEMORY, choose=good('n'), base=float_many(False, False))
Form('VLDMDB', '11101101 0 D 1 l nnnn dddd 1010 00 iiiiii', 3, FLOATS | MEMORY, choose=good('n'), base=float_many(False, True))
Form('VLDM double', '11101100 1 0 w l nnnn dddd 1011 00 iiiiii', 2, FLOATS | MEMORY, choose=good('n'),
     base=float_many(True, False))
