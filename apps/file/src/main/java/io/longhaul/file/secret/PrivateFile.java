// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.secret;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with a key or a password. A key that others can read is warned of: containers mount secrets with permissions
 * that their user cannot change, and keys of TLS are often shared with a group.
 */
public final class PrivateFile {
    private static final Logger log = LoggerFactory.getLogger(PrivateFile.class);

    private static final Set<PosixFilePermission> TOO_OPEN = EnumSet.of(
            PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private PrivateFile() {}

    /**
     * Reads a secret. A file of this user that others can read is refused, since this user can change that; a file of
     * another user, such as a secret that a container mounts, is warned of.
     *
     * @throws IOException with words for the user, which go on after the name of the file
     */
    public static String secret(Path file) throws IOException {
        try {
            if (isOpen(file)) {
                if (Files.getOwner(file).getName().equals(System.getProperty("user.name"))) {
                    throw new IOException("is refused, because other users can read or write it: chmod 600 " + file);
                }
                warn(file);
            }
            return Files.readString(file).strip();
        } catch (FileSystemException | CharacterCodingException e) {
            throw new IOException("cannot be read", e);
        }
    }

    /** Warns of a file that others can read, and gives the file back. Its reader tells where it cannot be read. */
    public static Path warned(Path file) {
        try {
            if (isOpen(file)) {
                warn(file);
            }
        } catch (IOException e) {
            log.debug("the permissions of {} cannot be read", file, e);
        }
        return file;
    }

    private static boolean isOpen(Path file) throws IOException {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                && !Collections.disjoint(Files.getPosixFilePermissions(file), TOO_OPEN);
    }

    private static void warn(Path file) {
        log.warn("other users can read or write {}, which should be secret: chmod 600 {}", file, file);
    }
}
