// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.logging;

import io.longhaul.engine.store.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that only this user can read. A file that would exceed its size is renamed to {@code NAME.1}, that
 * one to {@code NAME.2}, and so on; the oldest is removed. Another process may do so, too: lines always go into the
 * file that has the name. A failed write leaves no part of its lines, and the file is reopened. Not thread-safe.
 */
public final class RotatedFile implements BackgroundLines.Target {

    private final Path path;
    private final long most;
    private final int keep;
    private final Opener opener;
    private @Nullable SeekableByteChannel channel;
    private @Nullable Object fileOfChannel;

    /** Opens a file at its end. */
    interface Opener {
        SeekableByteChannel open(Path path) throws IOException;
    }

    /**
     * Makes a rotated file, which is opened with the first line.
     *
     * @param most the most bytes of one file, unless a single line is longer
     * @param keep how many renamed files are kept beside the present one
     */
    public RotatedFile(Path path, long most, int keep) {
        this(path, most, keep, file -> Files.newByteChannel(file, StandardOpenOption.APPEND));
    }

    RotatedFile(Path path, long most, int keep, Opener opener) {
        this.path = path;
        this.most = most;
        this.keep = keep;
        this.opener = opener;
    }

    /**
     * Opens the file, so that an error is found at once.
     *
     * @throws IOException that names the error
     */
    public RotatedFile open() throws IOException {
        try {
            channel();
            return this;
        } catch (NoSuchFileException e) {
            throw new IOException("there is no such folder", e);
        } catch (AccessDeniedException e) {
            throw new IOException("permission denied", e);
        }
    }

    @Override
    public void write(byte[] lines) throws IOException {
        try {
            if (channel != null && !Objects.equals(fileOfChannel, fileAtPath())) {
                close();
            }
            var size = channel().size();
            if (size > 0 && size + lines.length > most) {
                rotate();
            }
            append(channel(), ByteBuffer.wrap(lines));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private static void append(SeekableByteChannel file, ByteBuffer lines) throws IOException {
        long before = file.size();
        try {
            while (lines.hasRemaining()) {
                file.write(lines);
            }
        } catch (IOException e) {
            // Another process may have written to the file meanwhile.
            if (file.size() == before + lines.position()) {
                file.truncate(before);
            }
            throw e;
        }
    }

    private SeekableByteChannel channel() throws IOException {
        var open = channel;
        if (open == null) {
            PrivateFiles.createFile(path);
            open = opener.open(path);
            channel = open;
            fileOfChannel = fileAtPath();
        }
        return open;
    }

    /** Identifies the file that has the name; null where there is none, and on a system that does not tell. */
    private @Nullable Object fileAtPath() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private void rotate() throws IOException {
        close();
        for (int number = keep; number > 0; number--) {
            var from = number == 1 ? path : numbered(path, number - 1);
            if (Files.exists(from)) {
                Files.move(from, numbered(path, number), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.deleteIfExists(path);
    }

    /** The name of a renamed file, of which the first is the newest. */
    public static Path numbered(Path path, int number) {
        return path.resolveSibling(path.getFileName() + "." + number);
    }

    @Override
    public void close() throws IOException {
        var open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }
}
