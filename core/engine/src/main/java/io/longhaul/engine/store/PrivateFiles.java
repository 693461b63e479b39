// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates files and folders that only this user can access: other users of the machine must neither read nor change
 * tasks. On a file system without POSIX permissions, no permissions are checked or set.
 */
public final class PrivateFiles {

    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private PrivateFiles() {}

    /**
     * Creates a folder and its missing parents with mode 0700; an existing folder must pass {@link #refuseLoose}.
     *
     * @throws IOException with a sentence for the user where other users can write the folder
     */
    public static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, attributes(folder, FOLDER));
        refuseLoose(folder);
    }

    /**
     * Refuses a folder that its group or all users can write: another user could put files where the server expects its
     * own. The sticky bit does not help, because it forbids only the removal of existing files.
     *
     * @throws IOException with a sentence for the user
     */
    public static void refuseLoose(Path folder) throws IOException {
        if (!isPosix(folder)) {
            return;
        }
        var permissions = Files.getPosixFilePermissions(folder);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("other users can write the folder " + folder
                    + ": forbid it (chmod go-w), or use a folder in it that is this user's alone");
        }
    }

    /**
     * Creates an empty file with mode 0600; an existing file is {@link #tighten tightened}.
     *
     * @throws IOException with a sentence for the user where the file is a symbolic link, or of another user
     */
    public static void createFile(Path file) throws IOException {
        try {
            Files.createFile(file, attributes(file, FILE));
        } catch (FileAlreadyExistsException e) {
            tighten(file);
        }
    }

    /**
     * Removes the rights of all other users to an existing file.
     *
     * @throws IOException with a sentence for the user where the file is a symbolic link, or of another user
     */
    public static void tighten(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            throw new IOException(file + " is a symbolic link, and no link is followed there: remove the link");
        }
        if (!isPosix(file)) {
            return;
        }
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        var permissions = view.readAttributes().permissions();
        var own = EnumSet.noneOf(PosixFilePermission.class);
        own.addAll(permissions);
        own.retainAll(FOLDER);
        if (own.size() == permissions.size()) {
            return;
        }
        try {
            view.setPermissions(own);
        } catch (IOException e) {
            throw new IOException("other users have rights to " + file + ", and this user may not change that", e);
        }
        LOG.warn("Other users had rights to {} until now; it is this user's alone from here on", file);
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
