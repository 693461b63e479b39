// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler;
import io.longhaul.protocol.dialect.Generation;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example {@code drug-discovery}. */
class LibraryScreeningTest {

    @TempDir
    Path folder;

    @Test
    void a_screening_whose_server_is_killed_three_times_finds_the_same_molecules() throws Exception {
        var killed = new KilledExample(
                ShownCall.of("drug-discovery").with("panel", 4), 3, own -> own, QuestionHandler.NONE, own -> "nothing");
        var end = killed.endsAlike(folder, Generation.V2026_07_28, Generation.V2025_11_25);
        assertThat(end.output()).singleElement().asString().startsWith("most like ibuprofen: flurbiprofen, naproxen, ");
        assertThat(end.result())
                .contains("unreadable=[unfinished: a branch is not closed]")
                .contains("best=[{name=flurbiprofen, ", "groups=[[aspirin, salicylic-acid, diflunisal], ");
    }
}
