package io.longhaul.receiver;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.rpc.RequestId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Which questions of tasks were put to a client, so that each is put once. */
final class Asked {

    /** A question of a task. Its id as a request of the server derives from both: see {@link QuestionIds}. */
    record Key(TaskId task, String key) {

        RequestId.Number requestId() {
            return QuestionIds.of(this);
        }

        String text() {
            return task.value() + "/" + key;
        }

        static Key ofText(String text) {
            return new Key(new TaskId(text.substring(0, TaskId.LENGTH)), text.substring(TaskId.LENGTH + 1));
        }
    }

    private final Set<Key> keys = ConcurrentHashMap.newKeySet();

    /**
     * Says whether the question is the caller's to put: nobody has before, and its task still waits for the answer.
     * That is looked at last: whoever follows a task may have read it before the question was answered and forgotten
     * here.
     */
    boolean claim(Key key, Predicate<Key> isOpen) {
        if (!keys.add(key)) {
            return false;
        }
        boolean open = false;
        try {
            open = isOpen.test(key);
            return open;
        } finally {
            if (!open) {
                keys.remove(key);
            }
        }
    }

    /** The client has the question already. */
    void seen(Key key) {
        keys.add(key);
    }

    /** It did not get there, or its answer was no good: it may be put again. */
    void release(Key key) {
        keys.remove(key);
    }

    /** Says whether a question of a task that has ended is still before the client: it is to be told, once. */
    boolean withdraw(Key key) {
        return keys.remove(key);
    }

    void forget(TaskId task) {
        keys.removeIf(key -> key.task().equals(task));
    }
}
