// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StateWordsTest {

    private static final Call LOOK = new Call.GetTask("t");

    @ParameterizedTest
    @CsvSource({
        "V2026_07_28, working input_required completed failed cancelled",
        "V2025_11_25, working input_required completed failed cancelled",
        "SEP_1686, submitted working input_required completed failed cancelled unknown",
        "NEXT, submitted working input_required completed failed canceled unknown"
    })
    void a_client_reads_the_words_of_its_generation_and_no_other(Generation generation, String own) {
        var every = Stream.of(
                "submitted working input_required completed failed cancelled canceled unknown declined".split(" "));
        assertThat(every.filter(word -> isRead(ClientDialects.of(generation), word)))
                .containsExactly(own.split(" "));
    }

    @ParameterizedTest
    @EnumSource(names = {"V2026_07_28", "V2025_11_25", "SEP_1686", "NEXT"})
    void a_client_reads_the_state_that_a_server_of_its_generation_writes(Generation generation) throws Exception {
        var dialect = ClientDialects.of(generation);
        boolean isRevision = generation.isPublished();
        for (var state : List.of(State.values())) {
            var written = dialect.encode(
                            new RequestId.Number(1), LOOK, new CallResponse.TaskState(TaskView.untold("t", state)))
                    .response();
            assertThat(state(dialect, ((JsonRpcMessage.Result) written).result()))
                    .isEqualTo(
                            switch (state) {
                                case SUBMITTED -> isRevision ? State.WORKING : State.SUBMITTED;
                                case DECLINED -> State.COMPLETED;
                                default -> state;
                            });
        }
    }

    @Test
    void longhauls_own_words_tell_all_states_apart() {
        var own = StateWords.of(State.values());
        assertThat(Stream.of(State.values()).map(own::word).distinct()).hasSize(State.values().length);
        assertThat(own.all()).isEqualTo("submitted, working, input_required, completed, failed, cancelled, declined");
    }

    private static boolean isRead(ClientDialect dialect, String word) {
        try {
            return state(dialect, Json.raw("{\"taskId\":\"t\",\"status\":\"" + word + "\"}")) != null;
        } catch (UnusableMessageException e) {
            assertThat(e).hasMessage("The server's task has an unknown status.");
            return false;
        }
    }

    private static State state(ClientDialect dialect, Json result) throws UnusableMessageException {
        return ((CallResponse.TaskState) dialect.decode(LOOK, result))
                .task()
                .status()
                .state();
    }
}
