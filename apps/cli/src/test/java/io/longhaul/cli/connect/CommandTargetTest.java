// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.client.ServerAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTargetTest {
    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:8080/mcp, http://127.0.0.1:8080/mcp",
        "http://127.0.0.1:8080/, http://127.0.0.1:8080/",
        "http://127.0.0.1:8080, http://127.0.0.1:8080/mcp",
        "localhost:8080, http://localhost:8080/mcp",
        "https://example.com/a?b=c, https://example.com/a?b=c",
    })
    void an_address_may_be_short(String written, String read) {
        assertThat(CommandTarget.address(written)).isEqualTo(new ServerAddress.Http(URI.create(read)));
    }

    @Test
    void a_command_is_split_as_a_shell_would() {
        assertThat(CommandTarget.address("stdio:./longhaul serve 'my tools.yaml' --data \"a b\"\\ c ''"))
                .isEqualTo(new ServerAddress.Command(
                        List.of("./longhaul", "serve", "my tools.yaml", "--data", "a b c", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://example.com", "http://", "a b", "stdio:", "stdio:'a"})
    void anything_else_is_refused(String target) {
        assertThatExceptionOfType(UsageException.class).isThrownBy(() -> CommandTarget.address(target));
    }
}
