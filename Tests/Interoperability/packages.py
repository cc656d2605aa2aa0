"""Update packages and keys, both ways between our tool and Nordic's nrfutil; signatures are held against openssl.

    packages.py --tool .build/release/dictobench --work FOLDER

Runs in the environment of `ci/python-environment nrfutil`; start it through `ci/nrfutil`.
"""

import argparse
import asyncio
import hashlib
import importlib.machinery
import importlib.util
import json
import random
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from checks import PACKAGES, Abandoned, Checks, expect, expect_equal

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / 'firmware-images'
NRFUTIL = Path(sys.executable).with_name('nrfutil')
# Where a signed packet of nrfutil holds the init command, and where r and s: 140 octets in all.
COMMAND = slice(9, 72)
SIGNATURE = slice(76, 140)


def run(*command, code: int = 0) -> str:
    """Runs a program; returns what it printed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60)
    expect_equal(done.returncode, code, f'exit code of {command[0]}, which said {done.stderr[-200:]!r}')
    return done.stdout


def content(package: Path, suffix: str) -> bytes:
    """The one file of a package that ends so."""
    with zipfile.ZipFile(package) as archive:
        names = [name for name in archive.namelist() if name.endswith(suffix)]
        expect_equal(len(names), 1, f'files {suffix} in {package.name}')
        return archive.read(names[0])


def display(package: Path) -> dict[str, str]:
    """What nrfutil says of a package, line by line."""
    lines = re.findall(r'\|- (\w+):? (.*)', run(NRFUTIL, 'pkg', 'display', package))
    return dict(lines)


def der(signature: bytes) -> bytes:
    """A signature as openssl takes it, from r and s with their least significant octets first."""
    numbers = b''
    for half in (signature[:32], signature[32:]):
        value = int.from_bytes(half, 'little')
        octets = value.to_bytes(value.bit_length() // 8 + 1, 'big')
        numbers += bytes([2, len(octets)]) + octets
    return bytes([0x30, len(numbers)]) + numbers


class Packages:
    """One image, two tools, two keys."""

    def __init__(self, tool: Path, work: Path):
        self.tool = tool
        self.work = work
        self.image = work / 'dictofun.bin'
        # Not whole words: both tools have to fill the last one.
        self.image.write_bytes(random.Random(5).randbytes(4_998))
        padded = self.image.read_bytes() + b'\xff\xff'
        self.digest = hashlib.sha256(padded).digest()[::-1].hex()
        self.our_key = work / 'ours.pem'
        self.their_key = work / 'theirs.pem'

    def keys(self):
        run(self.tool, 'dfu', 'keys', '--out', self.our_key)
        run(NRFUTIL, 'keys', 'generate', self.their_key)

    def pack(self, name: str, key: Path | None, *more, softdevices=('0x0100',)) -> Path:
        package = self.work / f'{name}.zip'
        requirements = [word for softdevice in softdevices for word in ('--sd-req', softdevice)]
        signing = ['--key', key] if key else []
        run(self.tool, 'dfu', 'pack', self.image, '--application-version', '2', *requirements, *signing, *more, '--out', package)
        return package

    def generate(self, name: str, key: Path | None) -> Path:
        package = self.work / f'{name}.zip'
        signing = ['--key-file', key] if key else []
        run(
            NRFUTIL, 'pkg', 'generate', '--application', self.image, '--application-version', '2',
            '--hw-version', '52', '--sd-req', '0x0100', *signing, package,
        )
        return package

    def inspect(self, package: Path, key: Path, code: int) -> dict:
        output = run(
            self.tool, 'dfu', 'inspect', package, '--board', 's140-debug', '--public-key', key, '--format', 'json', code=code
        )
        return json.loads(output)

    def expect_displayed(self, package: Path, **different):
        """Makes sure that nrfutil finds in a package of ours what we put there."""
        wanted = {
            'type': 'APPLICATION', 'op_code': 'INIT', 'signature_type': 'ECDSA_P256_SHA256',
            'fw_version': '0x00000002 (2)', 'hw_version': '0x00000034 (52)', 'sd_req': '0x100', 'sd_size': '0',
            'bl_size': '0', 'app_size': '5000', 'hash_type': 'SHA256', 'is_debug': 'False',
            'boot_validation_type': "['VALIDATE_GENERATED_CRC']",
        } | different
        found = display(package)
        expect_equal({name: found.get(name) for name in wanted}, wanted, package.name)
        digest = re.search(r"b'([0-9a-f]+)'", next(text for name, text in found.items() if name == 'hash'))
        expect_equal(digest and digest[1], self.digest, 'digest')

    def openssl(self, package: Path, key: Path) -> bool:
        """Whether openssl finds the signature of a package to be one of its init command by this key."""
        packet = content(package, '.dat')
        expect_equal(len(packet), 140, 'octets of the init packet')
        for name, octets in (('command', packet[COMMAND]), ('signature', der(packet[SIGNATURE]))):
            (self.work / name).write_bytes(octets)
        public = self.work / 'public.pem'
        run('openssl', 'ec', '-in', key, '-pubout', '-out', public)
        done = subprocess.run(
            ['openssl', 'dgst', '-sha256', '-verify', public, '-signature', self.work / 'signature', self.work / 'command'],
            capture_output=True,
        )
        return done.returncode == 0


def key_halves(text: str) -> str:
    """X and Y of a public key with the least significant octets first, from either tool's words."""
    return ''.join(re.findall(r'\b[0-9a-f]{64,128}\b', text))


async def check(packages: Packages, checks: Checks):
    async with checks.check('keys-both-ways', essential=True):
        packages.keys()
        for key in (packages.our_key, packages.their_key):
            theirs = key_halves(run(NRFUTIL, 'keys', 'display', '--key', 'pk', '--format', 'hex', key))
            ours = key_halves(run(packages.tool, 'dfu', 'keys', key))
            expect_equal(len(ours), 128, 'digits of a public key')
            expect_equal(ours, theirs, f'public key of {key.name}')
    async with checks.check('ours-read-by-nrfutil', limit=30):
        for name, key in (('ours-our-key', packages.our_key), ('ours-their-key', packages.their_key)):
            packages.expect_displayed(packages.pack(name, key))
        several = packages.pack('ours-several', packages.our_key, '--debug', softdevices=('0x0101', '0x0100'))
        packages.expect_displayed(several, is_debug='True', sd_req='0x101, 0x100')
    async with checks.check('ours-unsigned-read-by-nrfutil'):
        unsigned = packages.pack('ours-unsigned', None)
        packages.expect_displayed(unsigned, signature_type='UNSIGNED')
        theirs = packages.generate('theirs-unsigned', None)
        expect_equal(content(unsigned, '.dat'), content(theirs, '.dat'), 'unsigned init packet')
    async with checks.check('theirs-read-by-us'):
        theirs = packages.generate('theirs', packages.their_key)
        found = packages.inspect(theirs, packages.their_key, code=0)
        expect_equal((found['predictedReply'], found['predictedFinalReply']), ('600401', '600401'), 'predicted replies')
        expect_equal((found['findings'], found['images'][0]['findings']), ([], []), 'findings')
        expect_equal(found['images'][0]['signatureValid'], True, 'signature')
        refused = packages.inspect(theirs, packages.our_key, code=1)
        expect_equal(refused['predictedReply'], '600405', 'predicted reply under the other key')
    async with checks.check('same-bytes'):
        ours = packages.work / 'ours-their-key.zip'
        for suffix, part in (('.bin', slice(None)), ('.dat', slice(0, 76))):
            expect_equal(content(ours, suffix)[part], content(theirs, suffix)[part], f'{suffix} of both tools')
        manifests = [json.loads(content(package, '.json')) for package in (ours, theirs)]
        expect_equal(manifests[0], manifests[1], 'manifest')
    async with checks.check('signature-verified-by-openssl'):
        ours = packages.work / 'ours-our-key.zip'
        expect(packages.openssl(ours, packages.our_key), 'openssl refuses our signature')
        expect(not packages.openssl(ours, packages.their_key), 'openssl takes it for one by another key')
        expect(packages.openssl(theirs, packages.their_key), "openssl refuses nrfutil's signature")
    async with checks.check('images-made-again'):
        loader = importlib.machinery.SourceFileLoader('make', str(FIRMWARE / 'make'))
        sys.dont_write_bytecode = True
        make = importlib.util.module_from_spec(importlib.util.spec_from_loader('make', loader))
        loader.exec_module(make)
        for board in make.BOARDS:
            for release, (_, length) in make.RELEASES.items():
                committed = content(FIRMWARE / f'{board}-{release}.zip', '.bin')
                expect(committed == make.image(f'{board} {release}', board, length), f'the image of {release} changed')


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tool', type=Path, required=True, help='our dictobench')
    parser.add_argument('--work', type=Path, required=True, help='folder for keys and packages; is emptied')
    arguments = parser.parse_args()
    work = arguments.work.absolute()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    checks = Checks('packages', PACKAGES)
    try:
        await check(Packages(arguments.tool.absolute(), work), checks)
    except Abandoned as reason:
        checks.skip(str(reason))
    sys.exit(checks.finish())


if __name__ == '__main__':
    asyncio.run(main())
