// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.plan;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.TaskOffer;
import io.longhaul.protocol.dialect.ClientDialect.ToolTerms;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Making;
import io.longhaul.requestor.LongCall;
import io.longhaul.requestor.plan.CallPlan.Way;
import io.longhaul.requestor.plan.FollowPlan.By;
import io.longhaul.requestor.plan.FollowPlan.Shown;

/**
 * Decides how a client deals with the servers of every generation, how each call is made, and how questions are
 * answered as tasks. No other class of a client reads the traits of a generation or a wish.
 */
public final class ClientPlanner {

    private ClientPlanner() {}

    /** How a client deals with a server, which offers this of tasks. */
    public static ServerManner manner(ClientDialect dialect, TaskOffer offer) {
        var traits = dialect.traits();
        var making = traits.making();
        return new ServerManner(
                traits.sessions(),
                traits.resumable(),
                making.aliases() != null,
                !traits.sessions() || (making.by() != Created.IN_PARTS && offer.calls()),
                follow(traits.following()),
                cancel(traits.cancelling(), offer));
    }

    private static FollowPlan follow(Traits.Following following) {
        return switch (following) {
            case BY_THE_CALL -> new FollowPlan(By.POLLS, Shown.NOTHING);
            case LOOKING -> new FollowPlan(By.POLLS, Shown.ALL);
            case LOOKING_THEN_ASKING -> new FollowPlan(By.POLLS, Shown.STATE);
            case WAITING -> new FollowPlan(By.ONE_WAIT, Shown.STATE);
            case WAITING_FOR_A_WHILE -> new FollowPlan(By.JOINED_WAITS, Shown.NOTHING);
        };
    }

    private static CancelPlan cancel(Cancelling cancelling, TaskOffer offer) {
        return switch (cancelling) {
            case BY_REQUEST -> new CancelPlan.ById(offer.cancels());
            case BY_NOTIFICATION -> new CancelPlan.ByNotice();
            case BY_CALL, BY_OPEN_CALL -> new CancelPlan.ByCall();
        };
    }

    /** Whether a client opens a session in the generation of a dialect, in which the server asks by requests. */
    public static boolean inSession(ClientDialect dialect) {
        return dialect.traits().sessions();
    }

    /** The first request to a server: the one that opens a session, or asks what the server is. */
    public static Call opening(ClientDialect dialect, ClientProfile client) {
        return inSession(dialect) ? new Call.Initialize(dialect.generation().version(), client) : new Call.Discover();
    }

    /** What a long call becomes in a generation. */
    public static LongCall longCall(Generation generation) {
        var making = ClientDialects.of(generation).traits().making();
        return switch (making.by()) {
            case NEVER -> LongCall.AWAITED;
            case BY_SERVER -> LongCall.TASK_BY_SERVER;
            case BY_CALLER -> making.kept() == Keep.From.LEAVING ? LongCall.JOINED_TASK : LongCall.TASK;
            case BESIDE_RESPONSE -> LongCall.NAMED_TASK;
            case IN_PARTS -> LongCall.PARTS;
        };
    }

    /** How a tool is called at a server, which offers this of tasks. */
    public static CallPlan call(ClientDialect dialect, TaskOffer offer, ToolTerms.Usable tool, TaskChoice choice) {
        var making = dialect.traits().making();
        var way = choice.mayBeTask() ? way(making, offer, tool) : Way.RESULT;
        boolean isRepeatable = tool.repeats() || offer.creationKeys();
        if (way == Way.RESULT) {
            var wish = making.by() == Created.IN_PARTS ? new TaskWish.NextPart(null, false) : new TaskWish.None();
            return new CallPlan(wish, way, isRepeatable, false, choice.ttl() != null);
        }
        var alias = making.aliases() == null ? null : new Alias(making.aliases(), choice.key());
        var kept = making.kept();
        var wish = kept == null
                ? new TaskWish.Terms(making.by(), Keep.From.CREATION, null, alias)
                : new TaskWish.Terms(making.by(), kept, choice.ttl(), alias);
        return new CallPlan(wish, way, isRepeatable, alias != null, choice.ttl() != null && kept == null);
    }

    private static Way way(Making making, TaskOffer offer, ToolTerms.Usable tool) {
        boolean takesTasks = tool.mode() != TaskMode.NEVER;
        return switch (making.by()) {
            case NEVER, IN_PARTS -> Way.RESULT;
            case BESIDE_RESPONSE -> Way.RACE;
            case BY_SERVER -> takesTasks || making.aliases() == null ? Way.TASK : Way.RESULT;
            case BY_CALLER -> takesTasks && offer.calls() ? Way.TASK : Way.RESULT;
        };
    }

    /** What the next part is asked for by. */
    public static PartToken token(CallResponse.Part part) {
        var next = part.next();
        return new PartToken(String.valueOf(next.token()), next.inMeta(), next.task());
    }

    /** How a question is answered that a server wants to be run as a task on these terms. */
    public static AnswerPlan answer(TaskWish.Terms terms) {
        var time = terms.time();
        boolean isCut = time == null || time.compareTo(AnswerPlan.LONGEST_KEPT) > 0;
        return new AnswerPlan(
                terms.isFor(Created.BY_CALLER),
                terms.alias() == null ? null : terms.alias().id(),
                new Keep(terms.kept(), isCut ? AnswerPlan.LONGEST_KEPT : time));
    }

    /**
     * Whether the cancellation of a question cancels its task. "When a receiver receives a `notifications/cancelled`
     * notification for the JSON-RPC request ID of a task-augmented request, the receiver SHOULD immediately move the
     * task to the `cancelled` status": where tasks are cancelled by their ids instead, the task goes on.
     */
    public static boolean cancelsWithQuestion(Dialect words) {
        return words.traits().cancelling() == Cancelling.BY_CALL;
    }
}
