// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.socket;

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
 * The place of a Unix-domain socket. Operating systems accept only short paths. Where the requested path is longer, the
 * socket is in a private temporary folder, with a link to it at the requested path. Only a process with the sole right
 * to the folder of the requested path may bind: an existing socket there is of a dead process.
 */
public record SocketPlace(Path wished) {

    /** The smallest limit of the supported systems, 104 including the final zero, less some room. */
    static final int LONGEST = 100;

    private static final String PRIVATE = "longhaul-";
    private static final String NAME = "socket";

    /** Binds and listens, for this user alone. */
    public ServerSocketChannel bind() throws IOException {
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

    /** The path to which a client must connect. */
    Path real() throws IOException {
        return Files.isSymbolicLink(wished) ? Files.readSymbolicLink(wished) : wished;
    }

    /** Removes the socket; any other file stays. */
    public void clear() throws IOException {
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
