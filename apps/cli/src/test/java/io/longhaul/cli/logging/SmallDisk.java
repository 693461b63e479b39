// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.logging;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Opens files that take so many bytes: as a full disk does, they first take what still fits. */
final class SmallDisk {
    private int room;

    SmallDisk(int room) {
        this.room = room;
    }

    void grow(int bytes) {
        room += bytes;
    }

    SeekableByteChannel open(Path path) throws IOException {
        var real = Files.newByteChannel(path, StandardOpenOption.APPEND);
        return (SeekableByteChannel) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SeekableByteChannel.class},
                (self, method, arguments) -> method.getName().equals("write")
                        ? write(real, (ByteBuffer) arguments[0])
                        : method.invoke(real, arguments));
    }

    private int write(SeekableByteChannel file, ByteBuffer bytes) throws IOException {
        if (room == 0) {
            throw new IOException("No space left on device");
        }
        int fits = Math.min(room, bytes.remaining());
        room -= fits;
        file.write(bytes.slice(bytes.position(), fits));
        bytes.position(bytes.position() + fits);
        return fits;
    }
}
