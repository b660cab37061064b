"""The machine code that Numba would emit on a processor that is not the one here: LLVM emits code
for any, with the passes that Numba runs and the other processor's description."""

import copy
import re
from dataclasses import dataclass
from typing import NamedTuple

from llvmlite import binding as llvm
from numba.core.codegen import CPUCodeLibrary

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()

X86, ARM, APPLE = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "arm64-apple-macosx"
NEON, SVE = r"v\d+\.2d|\.2d\s+v\d+", r"z\d+\.d"


class Processor(NamedTuple):
    name: str
    triple: str
    vectors: str
    """A pattern for its vector registers."""
    since: int = 14
    """The first LLVM that knows it; an older one ends the process when asked."""

    @property
    def scalable(self) -> bool:
        """Whether the vectors' length is known only where the code runs. Then there is scalar code
        for what is left over when they do not fit, which is never where they have 512 bits at
        most."""
        return SVE in self.vectors

    @property
    def known(self) -> bool:
        return llvm.llvm_version_info[0] >= self.since


PROCESSORS = (
    Processor("haswell", X86, "ymm"),
    Processor("alderlake", X86, "ymm"),
    Processor("haswell", "x86_64-apple-macosx", "ymm"),
    Processor("skylake", "x86_64-pc-windows-msvc", "ymm"),
    Processor("skylake-avx512", X86, "zmm"),
    Processor("sapphirerapids", X86, "zmm"),
    Processor("emeraldrapids", X86, "zmm", since=18),
    Processor("znver2", X86, "ymm"),
    Processor("znver3", X86, "ymm"),
    Processor("znver4", X86, "zmm", since=16),
    Processor("apple-m1", APPLE, NEON),
    Processor("apple-m2", APPLE, NEON, since=15),
    Processor("neoverse-n1", ARM, NEON),
    Processor("neoverse-v1", ARM, f"{NEON}|{SVE}"),
    Processor("neoverse-v2", ARM, f"{NEON}|{SVE}", since=16),
    Processor("cortex-a72", ARM, NEON),
)

# Arithmetic: add, sub, mul, div and the fused ones, of several numbers at once or of one.
PACKED = {
    "fused": r"\bvfn?m(?:add|sub)\d+pd\b|\bfml[as](?:\.2d)?\s+[vz]\d|\bfn?m(?:la|ls|ad|sb)\s+z\d",
    "plain": r"\bv?(?:add|sub|mul|div)pd\b|\bf(?:add|sub|mul|div)(?:\.2d)?\s+[vz]\d",
}
ALONE = {
    "fused": r"\bvfn?m(?:add|sub)\d+sd\b|\bfn?m(?:add|sub)\s+d\d",
    "plain": r"\bv?(?:add|sub|mul|div)sd\b|\bf(?:add|sub|mul|div)\s+d\d",
}


@dataclass
class Written:
    """A compiled function before LLVM's passes."""

    library: CPUCodeLibrary
    text: str

    def emitted_for(self, processor: Processor) -> str:
        machine = llvm.Target.from_triple(processor.triple).create_target_machine(
            cpu=processor.name, opt=3
        )
        text = re.sub("target triple = .*", f'target triple = "{processor.triple}"', self.text)
        layout = f'target datalayout = "{machine.target_data}"'
        text = re.sub("target datalayout = .*", layout, text)
        library = copy.copy(self.library)
        library._codegen = copy.copy(library._codegen)
        library._codegen._tm = machine
        library._final_module = llvm.parse_assembly(text)
        library._optimize_final_module()
        return machine.emit_assembly(library._final_module)


def written(function, signature, monkeypatch) -> Written:
    """Compile a function that has not been compiled yet, and keep what LLVM is given."""
    optimize, seen = CPUCodeLibrary._optimize_final_module, []

    def keep(library):
        if function.__name__ in library.name:
            seen.append(Written(library, str(library._final_module)))
        optimize(library)

    with monkeypatch.context() as patch:
        patch.setattr(CPUCodeLibrary, "_optimize_final_module", keep)
        function.compile(signature)
    return seen[-1]


def count(patterns: dict[str, str], code: str) -> dict[str, int]:
    return {kind: len(re.findall(pattern, code)) for kind, pattern in patterns.items()}
