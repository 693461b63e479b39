// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where a Unix-domain socket is found. The systems take only short paths: where the wished one is longer, the socket
 * lies in a private temporary folder, and a link to it at the wished path. Only who has the right to the folder of
 * the wished path may bind, so that whatever is there already is of a process that died.
 */
final class SocketPlace {

    /** The least limit of the systems that we run on, 104 with the zero at the end, and some room. */
    static final int LONGEST = 100;

    private static final String PRIVATE = "longhaul-";
    private static final String NAME = "socket";

    private final Path wished;

    SocketPlace(Path wished) {
        this.wished = wished;
    }

    /** Listens, for this user alone. */
    ServerSocketChannel bind() throws IOException {
        clear();
        boolean fits = fits(wished);
        Path real = fits ? wished : Files.createTempDirectory(PRIVATE).resolve(NAME);
        var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(real));
            if (real.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-------"));
            }
            if (!fits) {
                Files.createSymbolicLink(wished, real);
            }
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Where a client has to connect. */
    Path real() throws IOException {
        return Files.isSymbolicLink(wished) ? Files.readSymbolicLink(wished) : wished;
    }

    /** Removes the socket, and nothing that is not one. */
    void clear() throws IOException {
        if (Files.isSymbolicLink(wished)) {
            removePrivate(Files.readSymbolicLink(wished));
            Files.delete(wished);
        } else if (isSocket(wished)) {
            Files.delete(wished);
        } else if (Files.exists(wished, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(wished + " is in the way: it is no socket, and is not ours to remove");
        }
    }

    private static void removePrivate(Path real) throws IOException {
        Path folder = real.getParent();
        boolean ours = real.endsWith(NAME)
                && folder != null
                && folder.getFileName().toString().startsWith(PRIVATE)
                && isSocket(real);
        if (ours) {
            Files.delete(real);
            Files.deleteIfExists(folder);
        }
    }

    private static boolean isSocket(Path path) throws IOException {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                && Files.readAttributes(
                                path, java.nio.file.attribute.BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .isOther();
    }

    private static boolean fits(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST;
    }
}
