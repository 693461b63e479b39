// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.Case;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * What clients of each version send and a whole server answers, as files that can be read.
 * {@code -Dtranscripts.rewrite=true} writes anew what the server says.
 */
class WireTranscriptTest {

    @TestFactory
    Stream<DynamicNode> the_server_says_what_its_transcripts_say() {
        if (Boolean.getBoolean("transcripts.rewrite")) {
            for (var file : TranscriptFile.all()) {
                file.rewrite(file.sections().stream()
                        .map(section -> Conversation.play(file.script(section)))
                        .toList());
            }
        }
        return TranscriptFile.all().stream()
                .flatMap(file -> file.sections().stream()
                        .map(section -> Case.named(
                                file.name() + ": " + section.title(),
                                () -> assertThat(Conversation.play(file.script(section)))
                                        .isEqualTo(file.script(section)))));
    }
}
