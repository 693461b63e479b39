CREATE SCHEMA "longhaul";
SET search_path TO longhaul;


CREATE TABLE "longhaul"."schema_version" (
    "installed_rank" INT NOT NULL,
    "version" VARCHAR(50),
    "description" VARCHAR(200) NOT NULL,
    "type" VARCHAR(20) NOT NULL,
    "script" VARCHAR(1000) NOT NULL,
    "checksum" INTEGER,
    "installed_by" VARCHAR(100) NOT NULL,
    "installed_on" TIMESTAMP NOT NULL DEFAULT now(),
    "execution_time" INTEGER NOT NULL,
    "success" BOOLEAN NOT NULL
);

ALTER TABLE "longhaul"."schema_version" ADD CONSTRAINT "schema_version_pk" PRIMARY KEY ("installed_rank");

CREATE INDEX "schema_version_s_idx" ON "longhaul"."schema_version" ("success");

-- Schema 1, in which tables and columns have the names that they have in SQLite. Times are nanoseconds since 1970 (UTC), but
-- for what the clock of the database says. Ids sort in the order of creation, so that new rows go to the end of each index;
-- all texts sort by their bytes. What the blobs hold says the schema of SQLite.

CREATE SEQUENCE lease_epoch;

-- One row for each node that ever joined.
--   epoch       of its newest lease; older ones are void
--   expires_at  by the clock of the database; the lease is void from then on. '-infinity' where it cannot be renewed any more
CREATE TABLE lease (
    node       text COLLATE "C" PRIMARY KEY,
    epoch      bigint NOT NULL,
    joined_at  bigint NOT NULL,
    expires_at timestamptz NOT NULL
);

-- One row for each task. A page has room for new versions of its rows, so that a change which leaves the indexes alone stays
-- in its page.
CREATE TABLE task (
    id           text COLLATE "C" PRIMARY KEY,
    owner        text COLLATE "C" NOT NULL,
    creation_key text COLLATE "C",
    stage        smallint NOT NULL,
    lease_node   text COLLATE "C",
    lease_epoch  bigint NOT NULL,
    expires_at   bigint,
    version      bigint NOT NULL,
    last_event   bigint NOT NULL,
    updated_at   bigint NOT NULL,
    spec         bytea NOT NULL,
    body         bytea NOT NULL,
    route        text COLLATE "C",
    route_group  text COLLATE "C" GENERATED ALWAYS AS (split_part(route, '/', 1)) STORED,
    route_member text COLLATE "C" GENERATED ALWAYS AS (substr(route, strpos(route, '/') + 1)) STORED
) WITH (fillfactor = 80);

CREATE INDEX task_of_owner ON task (owner, id);

CREATE INDEX task_unended ON task (id) WHERE stage > 0;

CREATE INDEX task_expiry ON task (expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX task_of_group ON task (owner, route_group, id, route_member) WHERE route_group IS NOT NULL;

CREATE UNIQUE INDEX task_creation_key ON task (owner, creation_key) WHERE creation_key IS NOT NULL;

-- The history of each task.
CREATE TABLE event (
    task_id text COLLATE "C" NOT NULL,
    seq     bigint NOT NULL,
    body    bytea NOT NULL,
    PRIMARY KEY (task_id, seq)
);

-- Big pieces of tasks and events.
CREATE TABLE part (
    task_id text COLLATE "C" NOT NULL,
    name    text COLLATE "C" NOT NULL,
    body    bytea NOT NULL,
    PRIMARY KEY (task_id, name)
);

-- Small rows that are no tasks, such as sessions.
CREATE TABLE handle (
    space      text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    value      bytea NOT NULL,
    expires_at bigint,
    PRIMARY KEY (space, key)
) WITH (fillfactor = 80);

CREATE INDEX handle_expiry ON handle (expires_at) WHERE expires_at IS NOT NULL;

-- The data keys that have sealed blobs, each with a blob that it has sealed.
CREATE TABLE data_key (
    id    text COLLATE "C" PRIMARY KEY,
    proof bytea NOT NULL
);

-- By default a table is cleaned when a fifth of its rows are dead: for 10 million tasks these are 2 million, and days of them.
ALTER TABLE task SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);

ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);

ALTER TABLE part SET (autovacuum_vacuum_scale_factor = 0.01);

ALTER TABLE handle SET (autovacuum_vacuum_scale_factor = 0.01);

INSERT INTO data_key (id, proof) VALUES
    ('past', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a140000000000000000d065fbaa4fe48ae08b5bd70df6cb6b68a24307846a');

INSERT INTO event (task_id, seq, body) VALUES
    ('000000000000000000000000000000000002', '3', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a1400000000000000080bb1b1d9965f011dc44daad5ec17f39c2ab6c3f833f1c615c3a448e78d42285fa671f2cf47f0a10c9eee3abbfeeefdffd1284618d1'),
    ('000000000000000000000000000000000003', '3', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a14000000000000000d939a6b311123303891b80e1d81c67100c54c19758d8816665b088c293c'),
    ('000000000000000000000000000000000006', '2', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a140000000000000017de599bb8e86c38737b34dbd6134fe9218ec3f6aa10504c1a4e06c67d50d67d995e3a49d6e24b'),
    ('000000000000000000000000000000000007', '2', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a14000000000000001cb9dcd6f215c9ab9d07a6a34f6c8e87b60e13e9edecd3ed75a08a784eef2f6be3c2597a67cad1');

INSERT INTO handle (space, key, value, expires_at) VALUES
    ('session', 's', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a14000000000000001fa8b7dd150855cdb2db33dac9c4806437570f', '1800000009123456789');

INSERT INTO lease (node, epoch, joined_at, expires_at) VALUES
    ('old', '1', '1800000000123456789', '2026-11-25 23:41:49.614266+00');

INSERT INTO part (task_id, name, body) VALUES
    ('000000000000000000000000000000000006', 'outcome', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a14000000000000001878d40a2b7959eaab8b1f7d530740b74338fcc0f8d1debf1a848882165a56cd11b0613068bc6cc81f1af9cf7f5f77461b9a8189d8e45d096b679de53b724e11c7f6f7600b0b54f3f90ecd41b552eeba3e17f62ecd3d0ff104f97479c3d876317ebba79ef8af3c3cfdd143ff286d6bbd2d367682d586c23e525b4741227d17d8edde3fe9ca9be1f62dfeef34cb76881cf9ed24b80d428f9b3156995e6225bb555b9071c47f432817404f2d387047a9484a42046fd47bdd60d4c5eb25e040c200511593864d43286df8c798f0039ed6be82ea889d41de97870de9010a8e5f53cb3676a819d065fff7b7b6924b5be16d76c0f8ba6dca745f891dcce8cf88c1433daf778cd8704049a46deea68b9c5b281a999a51683fb89b652bb4c3bf270a757eaf466a2b2721b4b5c9de18f64b2535ad7123de703c13be954b4bf472b323b8ae1cda5b47fcb6f99c3a87acd7d19454fe84782094257de70bd4ff2ebde55d4c91c6cbcf8a715e77d7fc8499e8317ba8c554766b318a72e37c5a5017a4010fe85fb8f4fc390d297e98eccf66e887b116132722dd81e1c954be9a3a493f000e701b733856e50b110a9d9e7a372cd0304c4d737d459a341e2d79aef47862a52ba48e376fe681a88a73110a991b2b69a31bded6f0b29e0baa9993f6d598847ff870bc4a7e5759d9e7960d1e269b3a182701e29e9bd2000c0d11e03dc944386821bb446480fcc53f91a82500c90dd3643fed8e0a7de65e3ecaf7744fec81df1f42d5123e35ca2ef367c37c1d18702d5c70e73ffd4a052a9e9b9959d82c0c0725a69787b565c17463fd351775553e61f7f410dea0a2d6f99fc6ef9ca88b2cdeb61aeaf28a8c6ec6633fada4308cacc3835bc7015867cfeb94659234f3de18a211c9440cc636502c0bf6cf2feb24f093006fd7abb2fa11eb7c65eaa89bcb130989ecb0e50b4fa44e8a36439721ecf5f59142a8c256c80926051ea795e41b600ba5f9c3ebdb282415cfe48619814157888294c89650ae414d3c02b52254540c3f1dcd34c9cde2064b8d788d2e5ce20dedd848e26248a97a219afe898c4ec51316dfbb336ab2122566999875b4f2cb2070998f8f3650d278d3eabd52460bae2483f56fb4d41169aa254b6bc301384cb997180d40caaf1b746252dd84e69bc4dfec6510f15f8bcdc3b3da6bae1c35ff372bd86a58e5803c6e12f53c2b32884a19bfe692ef8c50752dbd193019dd3f70cd962201281fc8d8ab3083ba8b05199c0b3f18de92919420f7fddcb0c1c14cbfc302a3c5e2803d205edf56148cc8f30165bc16e7677c865ccaea4064f495d12d12b064a8b791c18c37bc406eed7dcdcad1e94947df14f7e4536bdefb4277292f995d748b9e3c8bb7e6776f1ac0a42b88734efe61a11a27294fcbcf8112d373cd99490cf2831cf1682a3fa47e15ffdfef653238cc0956aa3fde0f597e299790474a847d1242e082b591c365b9baa44c2806a419890226bde448d368cbdb76e90bd965dae20892fd1e4e726d97ed11a51634ab0e1a97babaa060fedc8c5127941deb2fafdc1fcc2e6a64303e09d92101b87a5606');

INSERT INTO schema_version (installed_rank, version, description, type, script, checksum, installed_by, installed_on, execution_time, success) VALUES
    ('0', NULL, '<< Flyway Schema Creation >>', 'SCHEMA', '"longhaul"', NULL, 'postgres', '2026-11-25 23:41:34.103603', '0', 'true'),
    ('1', '1', 'tasks', 'SQL', 'V1__tasks.sql', '994037598', 'postgres', '2026-11-25 23:41:34.167709', '69', 'true');

INSERT INTO task (id, owner, creation_key, stage, lease_node, lease_epoch, expires_at, version, last_event, updated_at, spec, body, route) VALUES
    ('000000000000000000000000000000000001', 'alice', NULL, '0', 'old', '1', '1800086400123456789', '3', '3', '1800000000123456789', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a140000000000000001ef9847b2183e880a07c1598432bef7921eef3c262add92cc0a3e0ac98de5b8c43fc86ed997833c3ff5575a4e9a38a03f6a6f3318d21075e3cdc063c477', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a140000000000000004f5ce2891c03e68144760a378e14bb49e54a3089cd013926cde15d8d3838bff04e1d6c7bb37d0d63c0dfe1d2c7fdc524d93ab16d8', NULL),
    ('000000000000000000000000000000000002', 'alice', NULL, '2', 'old', '1', NULL, '3', '3', '1800000000123456789', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a140000000000000005a74aae6c7ed3cdf9f315cb9be769d64cdcbd4f968e23cda465595089fc134ed9b863d84642b2468cb1001672882685274f634b8631c69c0c1b67010bc6', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a140000000000000009a3a8c1fc0f63893d06b9a74bc0a74647aa9a798b3844391404ac1068426929979fa6c809ef06283b5a58318075653eb693ae6e96a1944a12a512571a', NULL),
    ('000000000000000000000000000000000003', 'alice', NULL, '2', 'old', '1', NULL, '3', '3', '1800000000123456789', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a14000000000000000af2510b799205d56443ba875e5b9d00201601b482820a189da2e0c1e9db3ec37f9ba8acbca89fda7f99dc2fedc27890ff4541b6abb611f7db1581a8ba96', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a14000000000000000e9f8d2c4cd3e8f737424994eb06fb6f93a594a7ff1bc5a39388757a286f011923f0c60db9d03cff4450c3f2fbeecfb252d1fae5f1dc578ec1812a5bea07d20225fe50dfcd167ab881556ca05e6d8d', NULL),
    ('000000000000000000000000000000000004', 'alice', NULL, '1', 'old', '1', NULL, '3', '3', '1800000000123456789', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a14000000000000000f5b036184008ef432d57767b38cd391333b94d9b21a32bbf0bf72fc5378c71dad24cfc2afae136c8e7c53c44965be2e7ef3d640a251c87fa35d4804ec8e', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a140000000000000012e4302b67597e84c510913b5bdaab93fcdbd5abd5d642d62d5895be72f712eaae07a945575f39f83638eb4aee71056e6c850a54b8fa', NULL),
    ('000000000000000000000000000000000005', 'alice', NULL, '2', NULL, '0', NULL, '1', '1', '1800000000123456789', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a140000000000000013b748490ee05ab8ea0f369271a466f428824bc66cacb000d880fa8a3c1e5ade5e0928c35523938e35fe39be47ead602e3c15cad7e41292e72835c5f2c2e', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a14000000000000001440e2a6e120256a44dd98b05f13d27355a44aa04652025705dee7f8e3b7d15c4c49bf', NULL),
    ('000000000000000000000000000000000006', 'bob', 'key', '0', NULL, '0', '1800086400123456789', '2', '2', '1800000000123456789', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a1400000000000000151ece0f2fd956e02d474cf7d1a0e5c4ab4fcc4faaf45e243ecc5743e37ce7870fa2095267a21389efbce7c64b232137f4ff0326824db652b961dbe2fefedd5536d1bac001', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a140000000000000019d2f1b87e3eb051d120e951df427501819dc0329314c10e72202f009bf749604651a2de5ca88489b73080d1809c9b9df2a6a6871fd3baa1', NULL),
    ('000000000000000000000000000000000007', 'alice', NULL, '0', NULL, '0', '1800000060123456789', '3', '2', '1800000000123456789', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a14000000000000001a92c12a1dd626a0e0ae25518ab32ec75bbf47a63be865e6156661ada9409fdf4ae3f44ffa81279518a1fee0a5ab25f4d4e4894c9be09b8472fd3c97bfeb', E'\\x004c4801047061737429e400b0eea2524ac980fdfc4d724a14000000000000001e84eb2e3ee1b7be89cf3bb5aa055556205dd4d046e32e72c50a7298f6396a352d2c7e7bcc9413ce1fb4ccfcc49d3e99689b4671a5f0', NULL);

SELECT setval('lease_epoch', 1);
