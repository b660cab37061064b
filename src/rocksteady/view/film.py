"""Films on disk: GIF through Pillow, MP4 through ffmpeg."""

import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from rocksteady.extras import load
from rocksteady.files import made_by
from rocksteady.marks import mark

Frame = NDArray[np.uint8]  # height × width × RGBA
Progress = Callable[[int, int], None]  # frames done, frames in all


class Film(Protocol):
    """What can be written as a film. A frame is good until the next one is asked for."""

    size: tuple[int, int]
    """Width and height [pixels], both even."""

    def __len__(self) -> int: ...

    def frame(self, k: int) -> Frame:
        """The k-th picture."""


def _frames(film: Film, progress: Progress | None) -> Iterator[Frame]:
    for k in range(len(film)):
        yield film.frame(k)
        if progress is not None:
            progress(k + 1, len(film))


def as_gif(film: Film, fps: float, progress: Progress | None = None) -> bytes:
    """With one palette for all frames, and of each only what changed."""
    some = np.linspace(0, len(film) - 1, 12).astype(int)
    palette = _palette(np.stack([film.frame(k).copy() for k in some]))
    table = _nearest(palette)

    def indexed(frame: Frame) -> Image.Image:
        image = Image.fromarray(table[_key(frame)])
        image.putpalette(palette.tobytes())
        return image

    images = (indexed(frame) for frame in _frames(film, progress))
    memory = io.BytesIO()
    next(images).save(
        memory,
        "GIF",
        save_all=True,
        append_images=images,
        duration=round(1000 / fps),
        loop=0,
        optimize=True,
        disposal=1,
        comment=mark().encode(),
    )
    return memory.getvalue()


def _key(pixels: Frame) -> NDArray[np.uint32]:
    """Each pixel's colour with 6 bits a channel, as a number."""
    rgb: NDArray[np.uint32] = pixels.view("<u4")[..., 0]  # red, green, blue from the lowest byte
    return np.asarray((rgb >> 2 & 0x3F) | (rgb >> 4 & 0xFC0) | (rgb >> 6 & 0x3F000), np.uint32)


def _palette(pixels: Frame) -> NDArray[np.uint8]:
    """255 colours for these pictures: those of flat areas exactly, of edges and words nearly."""
    _, first, count = np.unique(_key(pixels), return_index=True, return_counts=True)
    colours = pixels.reshape(-1, 4)[first, :3]
    flat, rest = np.split(colours[np.argsort(-count)], [16])
    if len(rest):
        few = Image.fromarray(rest[None]).quantize(239, method=Image.Quantize.MEDIANCUT)
        rest = np.array(few.getpalette(), np.uint8).reshape(-1, 3)
    return np.concatenate([flat, rest])


def _nearest(palette: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The index of the palette's nearest colour, for each number that `_key` gives."""
    from scipy.spatial import KDTree

    level = np.arange(64) * 4 + 2
    blue, green, red = np.meshgrid(level, level, level, indexing="ij")
    cube = np.stack([red, green, blue], axis=-1).reshape(-1, 3)
    return np.asarray(KDTree(palette).query(cube)[1], np.uint8)


def as_mp4(film: Film, fps: float, progress: Progress | None = None) -> bytes:
    """H.264 that every browser plays, with its index in front."""
    # The index is moved to the front last: ffmpeg needs a file that it can open again for that.
    return made_by(lambda path: _encode(path, film, fps, progress), ".mp4")


def _encode(path: Path, film: Film, fps: float, progress: Progress | None) -> None:
    width, height = film.size
    raw = f"-f rawvideo -pix_fmt rgba -s {width}x{height} -r {fps:g} -i - -an"
    h264 = "-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p -movflags +faststart -f mp4"
    comment = ["-metadata", f"comment={mark()}"]
    begin = [find_ffmpeg(), "-y", "-loglevel", "error"]
    command = [*begin, *raw.split(), *comment, *h264.split(), str(path)]
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=complaints)
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):  # ffmpeg gave up: its exit and its words say why
                for frame in _frames(film, progress):
                    process.stdin.write(frame.data)
        except BaseException:
            process.kill()
            raise
        finally:
            with suppress(BrokenPipeError):
                process.stdin.close()
            process.wait()
        if process.returncode:
            complaints.seek(0)
            words = complaints.read().decode(errors="replace").strip().splitlines()
            raise OSError(f"ffmpeg failed ({words[-1] if words else process.returncode})")


def find_ffmpeg() -> str:
    """The system's ffmpeg if it can write H.264, or the one that comes with imageio-ffmpeg; an
    error if there is neither."""
    found = shutil.which("ffmpeg")
    if found is not None:
        asked = subprocess.run([found, "-hide_banner", "-encoders"], capture_output=True, text=True)
        if "libx264" in asked.stdout:
            return found
    return str(
        load("imageio_ffmpeg", "An .mp4 film", "A .gif needs nothing more.").get_ffmpeg_exe()
    )
