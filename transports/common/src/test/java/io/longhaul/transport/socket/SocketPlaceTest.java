// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class SocketPlaceTest {

    @TempDir
    Path folder;

    @Test
    void a_socket_is_for_its_user_alone() throws IOException {
        var wished = folder.resolve("s");
        try (var listener = new SocketPlace(wished).bind()) {
            assertThat(listener.isOpen()).isTrue();
            assertThat(permissions(wished)).isEqualTo("rw-------");
        }
    }

    @Test
    void a_path_that_is_too_long_is_a_link_to_a_socket_in_a_folder_for_its_user_alone() throws IOException {
        var wished = longPath();
        var place = new SocketPlace(wished);
        try (var listener = place.bind()) {
            assertThat(listener.isOpen()).isTrue();
            assertThat(wished).isSymbolicLink();
            assertThat(permissions(place.real())).isEqualTo("rw-------");
            assertThat(permissions(place.real().getParent())).isEqualTo("rwx------");
            try (var client = SocketChannel.open(UnixDomainSocketAddress.of(place.real()))) {
                assertThat(client.isConnected()).isTrue();
            }
        }
        Path real = place.real();
        place.clear();
        assertThat(Files.exists(wished, LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThat(real.getParent()).doesNotExist();
    }

    @Test
    void a_socket_of_a_dead_process_makes_way() throws IOException {
        var place = new SocketPlace(folder.resolve("s"));
        place.bind().close();
        try (var listener = place.bind()) {
            assertThat(listener.isOpen()).isTrue();
        }
        var far = new SocketPlace(longPath());
        far.bind().close();
        Path left = far.real();
        try (var listener = far.bind()) {
            assertThat(listener.isOpen()).isTrue();
            assertThat(far.real()).isNotEqualTo(left);
            assertThat(left.getParent()).doesNotExist();
        }
        far.clear();
    }

    @Test
    void what_is_no_socket_is_left_alone_and_told() throws IOException {
        var file = Files.writeString(folder.resolve("s"), "mine");
        assertThatIOException().isThrownBy(() -> new SocketPlace(file).bind()).withMessageContaining("in the way");
        assertThat(file).hasContent("mine");
    }

    @Test
    void a_link_that_leads_elsewhere_goes_and_what_it_leads_to_stays() throws IOException {
        var target = Files.writeString(folder.resolve("target"), "mine");
        var wished = Files.createSymbolicLink(folder.resolve("s"), target);
        var place = new SocketPlace(wished);
        try (var listener = place.bind()) {
            assertThat(listener.isOpen()).isTrue();
            assertThat(target).hasContent("mine");
        }
    }

    @Test
    void only_connections_of_the_own_user_are_taken() throws IOException {
        try (var listener = new SocketPlace(folder.resolve("s")).bind()) {
            var same = SameUser.of(listener);
            try (var client = SocketChannel.open(listener.getLocalAddress());
                    var accepted = listener.accept()) {
                assertThat(client.isConnected()).isTrue();
                assertThat(same.owns(accepted)).isTrue();
            }
            UserPrincipal stranger = () -> "stranger";
            assertThat(same.is(stranger)).isFalse();
        }
    }

    private Path longPath() {
        return folder.resolve("x".repeat(SocketPlace.LONGEST));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
